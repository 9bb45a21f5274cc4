import type { ConfigMap } from '../../src/contract/kubernetes.ts'
import { isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import type { Floor } from './health.ts'

const CONFIG_MAPS = collectionPath('v1', 'configmaps', 'kube-system')
const NAME = 'poolwright-cluster'

/** What a cluster was made from, kept in the cluster itself; its presence says that it was made to the end. */
export interface ClusterRecord {
  /** Hash of all inputs. */
  readonly inputs: string
  /** Ids of the images that it was made from, by name. */
  readonly imageIds: Readonly<Record<string, string>>
  /** What was there when it was whole. */
  readonly floor: Floor
}

/** Undefined where none of ours, or one that was never finished. */
export async function readRecord(
  client: KubeClient,
  signal: AbortSignal,
): Promise<ClusterRecord | undefined> {
  try {
    const { data = {} } = await client.get<ConfigMap>(objectPath(CONFIG_MAPS, NAME), signal)
    return {
      inputs: data.inputs ?? '',
      imageIds: JSON.parse(data.imageIds ?? '{}') as ClusterRecord['imageIds'],
      floor: JSON.parse(data.floor ?? '{"nodes":{},"workloads":[]}') as Floor,
    }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

export async function writeRecord(
  client: KubeClient,
  { inputs, imageIds, floor }: ClusterRecord,
  signal: AbortSignal,
): Promise<void> {
  const metadata = { name: NAME, namespace: 'kube-system' }
  const data = { inputs, imageIds: JSON.stringify(imageIds), floor: JSON.stringify(floor) }
  await client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, signal)
}

/** The images of which this cluster has another build than the engine has now, under the same name. */
export function otherImages(
  { imageIds }: ClusterRecord,
  now: Readonly<Record<string, string>>,
): readonly string[] {
  // What the engine has no more was put into the nodes, and is still there.
  return Object.keys(now).filter((image) => now[image] && imageIds[image] && now[image] !== imageIds[image])
}
