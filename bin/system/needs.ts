export type NeedName = 'jre' | 'dockerd' | 'docker' | 'debootstrap'

/** Something outside npm that a command can use, and the distribution package that brings it. */
export interface Need {
  readonly name: NeedName
  readonly program: string
  readonly debianPackage: string
  /** What that package is of no use without here, and doesn't bring by itself. */
  readonly besides?: readonly string[]
  /** As in "for …". */
  readonly purpose: string
}

export const NEEDS: readonly Need[] = [
  { name: 'jre', program: 'java', debianPackage: 'default-jre-headless', purpose: 'the Allure page' },
  { name: 'dockerd', program: 'dockerd', debianPackage: 'docker.io', purpose: 'the rung kind' },
  // Where docker.io doesn't bring it.
  { name: 'docker', program: 'docker', debianPackage: 'docker-cli', purpose: 'the rung kind' },
  {
    name: 'debootstrap',
    program: 'debootstrap',
    debianPackage: 'debootstrap',
    // Ubuntu has no keys of Debian.
    besides: ['debian-archive-keyring'],
    purpose: 'building node images from packages',
  },
]
