export type NeedName = 'jre'

/** Something outside npm that a command can use, and the distribution package that brings it. */
export interface Need {
  readonly name: NeedName
  readonly program: string
  readonly debianPackage: string
  /** As in "for …". */
  readonly purpose: string
}

export const NEEDS: readonly Need[] = [
  { name: 'jre', program: 'java', debianPackage: 'default-jre-headless', purpose: 'the Allure page' },
]
