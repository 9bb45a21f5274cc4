import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { familyKey } from './build-family.ts'
import { type ImagePlan, planImages } from './image-plan.ts'
import { family, programPath } from './programs.ts'
import { artifactPath } from './store.ts'

/** What a build from packages leaves behind: images in the engine, programs and files in the user's cache. */
export interface BuiltImages {
  /** Tag of the node image, which has every image of the cluster's own parts inside. */
  readonly node: string
  /** Tag of the workload image, in the engine and inside the node image. */
  readonly workload: string
  /** Image of our CSI driver, inside the node image. */
  readonly csiDriver: string
  /** Path of MetalLB's own manifests. */
  readonly metallb: string
}

/** Path of the kind that was built from today's inputs; undefined where none was. */
export async function builtKind(): Promise<string | undefined> {
  const path = programPath(artifactPath(await familyKey(family('kind'))), 'kind')
  return access(path).then(
    () => path,
    () => undefined,
  )
}

/** What a build from today's inputs gives, or would give. */
export async function expectedImages(): Promise<BuiltImages> {
  return imagesOf(await planImages())
}

export function imagesOf(plan: ImagePlan): BuiltImages {
  const { node, workload, csiDriver } = plan
  return {
    node: node.image,
    workload: workload.image,
    csiDriver: csiDriver.image,
    metallb: metallbManifestsPath(plan),
  }
}

export function metallbManifestsPath({ families }: Pick<ImagePlan, 'families'>): string {
  return join(families.get('metallb') ?? '', 'files', 'manifests', 'metallb-native.yaml')
}
