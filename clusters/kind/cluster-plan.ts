import { createHash } from 'node:crypto'
import type { Bundle } from '../bundle/bundle.ts'
import type { ClusterSettings, WorkerRole } from '../provider.ts'
import type { ChosenImages } from './chosen-images.ts'
import { clusterConfig } from './config.ts'
import { readCsiManifests } from './parts/csi.ts'
import { bundlePodNetwork, podNetworkManifests } from './parts/pod-network.ts'
import { bundleStandIns, standInManifests } from './parts/stand-ins.ts'

/** Raised when this code makes another cluster of the same inputs. */
const REVISION = 2

/** All that makes one cluster different from another. */
export interface ClusterPlan {
  readonly images: ChosenImages
  /** The kind config. */
  readonly config: string
  /** Texts of the CSI part's manifests; empty where its images are missing. */
  readonly csi: readonly string[]
  readonly standIns: Bundle
  /** The pod network's program; of use where the node image has none. */
  readonly podNetwork: Bundle
  /** Hash of all of it: a cluster that was made from the same needs no making. */
  readonly inputs: string
}

export interface PlanRequest {
  readonly settings: ClusterSettings
  readonly images: ChosenImages
  readonly sharedFolder: string
  readonly cgroupV1: boolean
}

/** Decides everything about a cluster before anything is started. */
export async function planCluster({
  settings,
  images,
  sharedFolder,
  cgroupV1,
}: PlanRequest): Promise<ClusterPlan> {
  const workers = (role: WorkerRole): number => (settings.secondWorkers?.includes(role) ? 2 : 1)
  const [config, csi, standIns, podNetwork] = await Promise.all([
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
  ])
  const inputs = JSON.stringify([
    REVISION,
    config,
    images.node,
    images.workload ?? '',
    csi,
    // With their names these tell the programs as well.
    standInManifests(standIns, images.workload ?? ''),
    podNetworkManifests(podNetwork, images.workload ?? '', ''),
  ])
  const hash = createHash('sha256').update(inputs).digest('hex').slice(0, 16)
  return { images, config, csi, standIns, podNetwork, inputs: hash }
}
