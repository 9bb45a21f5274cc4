import { tagOf } from './engine-images.ts'
import type { CsiPart } from './parts/csi.ts'
import { PUBLISHED_IMAGES } from './versions.ts'

/** An image in the engine; its role is what its label says, where it is one of ours. */
export interface LoadedImage {
  readonly image: string
  readonly role: string | undefined
}

export interface CsiImages {
  readonly parts: readonly CsiPart[]
  /** Image of our own driver, where a part runs it. */
  readonly driver?: string
  /** What the node image doesn't have inside. */
  readonly sideLoaded: readonly string[]
}

/** Parts whose images are all inside the node images that we build. */
export const OURS: readonly CsiPart[] = ['node-folder', 'shared-folder']

const PROVISIONER = tagOf(PUBLISHED_IMAGES.csiProvisioner)
const ATTACHER = tagOf(PUBLISHED_IMAGES.csiAttacher)
export const HOST_PATH: readonly string[] = [
  tagOf(PUBLISHED_IMAGES.csiHostPath),
  tagOf(PUBLISHED_IMAGES.csiNodeDriverRegistrar),
  PROVISIONER,
]

/**
 * What a cluster can have of the CSI parts.
 *
 * @param inside image of our driver that the node image has inside, with all that goes with it
 * @param loaded what came beside the node image
 */
export function csiOf(inside: string | undefined, loaded: readonly LoadedImage[]): CsiImages {
  if (inside !== undefined) return { parts: OURS, driver: inside, sideLoaded: [] }
  const driver = loaded.find(({ role }) => role === 'csi-driver')?.image
  const has = (images: readonly (string | undefined)[]): boolean =>
    images.every((image) => loaded.some((each) => each.image === image))
  const needs: Readonly<Record<CsiPart, readonly (string | undefined)[]>> = {
    'host-path': HOST_PATH,
    'node-folder': [driver, PROVISIONER],
    'shared-folder': [driver, PROVISIONER, ATTACHER],
  }
  const csi = (['host-path', 'node-folder'] as const).find((part) => has(needs[part]))
  const parts = [...(csi ? [csi] : []), ...(has(needs['shared-folder']) ? (['shared-folder'] as const) : [])]
  const images = new Set(parts.flatMap((part) => needs[part]).filter((image) => image !== undefined))
  return {
    parts,
    ...(driver !== undefined && images.has(driver) && { driver }),
    sideLoaded: [...images],
  }
}
