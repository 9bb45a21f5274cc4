import { createHash } from 'node:crypto'
import type { Bundle } from '../bundle/bundle.ts'
import type { ClusterSettings, WorkerRole } from '../provider.ts'
import type { ChosenImages } from './chosen-images.ts'
import { clusterConfig } from './config.ts'
import { INSIDE_LABEL, imageLabels } from './engine-images.ts'
import { carvePools } from './network.ts'
import { readCsiManifests } from './parts/csi.ts'
import { addressPools } from './parts/metallb.ts'
import { ON_CONTROL_PLANE, ON_EVERY_NODE } from './parts/placement.ts'
import { bundlePodNetwork, podNetworkManifests } from './parts/pod-network.ts'
import { bundleStandIns, standInManifests } from './parts/stand-ins.ts'
import type { Tools } from './tools.ts'
import { PROGRAM_VERSIONS } from './versions.ts'

/** Raised when this code makes another cluster of the same inputs. */
const REVISION = 3

/** Any: only what is made of it counts. */
const SAMPLE_SUBNET = '192.0.2.0/24'

/** All that makes one cluster different from another. */
export interface ClusterPlan {
  readonly images: ChosenImages
  /** Ids of all images that are put into it, by name; empty for those that the engine doesn't have. */
  readonly imageIds: Readonly<Record<string, string>>
  /** The kind config. */
  readonly config: string
  /** Texts of the CSI part's manifests; empty where its images are missing. */
  readonly csi: readonly string[]
  readonly standIns: Bundle
  /** The pod network's program; of use where the node image has none. */
  readonly podNetwork: Bundle
  /** What runs it: it needs more than a workload image has to have. Absent where there is no image for it. */
  readonly podNetworkImage?: string
  /** Hash of all of it but the images' ids: a cluster that was made from the same needs no making. */
  readonly inputs: string
}

export interface PlanRequest {
  readonly settings: ClusterSettings
  readonly images: ChosenImages
  readonly sharedFolder: string
  readonly cgroupV1: boolean
  readonly tools: Pick<Tools, 'docker'>
  readonly signal: AbortSignal
}

/** Decides everything about a cluster before anything is started. */
export async function planCluster({
  settings,
  images,
  sharedFolder,
  cgroupV1,
  tools,
  signal,
}: PlanRequest): Promise<ClusterPlan> {
  const workers = (role: WorkerRole): number => (settings.secondWorkers?.includes(role) ? 2 : 1)
  const [config, csi, standIns, podNetwork, imageIds, labels] = await Promise.all([
    clusterConfig({
      dataWorkers: workers('data'),
      managementWorkers: workers('management'),
      sharedFolder,
      ownPodNetwork: images.ownPodNetwork,
      cgroupV1,
    }),
    readCsiManifests(images.csi, images.csiDriver),
    bundleStandIns(),
    bundlePodNetwork(),
    idsOf(images, tools, signal),
    imageLabels(images.node, tools, signal),
  ])
  const podNetworkImage = workloadInside(labels?.[INSIDE_LABEL]) ?? images.workload
  const inputs = JSON.stringify([
    REVISION,
    config,
    images.node,
    images.workload ?? '',
    images.sideLoaded,
    csi,
    // With their names these tell the programs as well.
    standInManifests(standIns, images.workload ?? ''),
    podNetworkManifests(podNetwork, podNetworkImage ?? '', ''),
    PROGRAM_VERSIONS['go.universe.tf/metallb'],
    addressPools(carvePools(SAMPLE_SUBNET)),
    ON_CONTROL_PLANE,
    ON_EVERY_NODE,
  ])
  const hash = createHash('sha256').update(inputs).digest('hex').slice(0, 16)
  return {
    images,
    imageIds,
    config,
    csi,
    standIns,
    podNetwork,
    ...(podNetworkImage !== undefined && { podNetworkImage }),
    inputs: hash,
  }
}

/** The workload image that came with a node image, as its label says. */
function workloadInside(inside: string | undefined): string | undefined {
  const prefix = 'workload='
  const part = inside?.split(' ').find((each) => each.startsWith(prefix))
  return part?.slice(prefix.length)
}

async function idsOf(
  { node, workload, sideLoaded }: ChosenImages,
  { docker }: Pick<Tools, 'docker'>,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const names = [...new Set([node, ...(workload === undefined ? [] : [workload]), ...sideLoaded])].toSorted()
  const idOf = async (image: string): Promise<[string, string]> => {
    const words = ['image', 'inspect', '--format', '{{.Id}}', image]
    const said = await docker(words, { for: `looking at image ${image}`, signal }).catch((error: Error) => {
      signal.throwIfAborted()
      if (/no such image/i.test(error.message)) return ''
      throw error
    })
    return [image, said.trim()]
  }
  return Object.fromEntries(await Promise.all(names.map(idOf)))
}
