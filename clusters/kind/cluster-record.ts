import type { ConfigMap } from '../../src/contract/kubernetes.ts'
import { isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'

const CONFIG_MAPS = collectionPath('v1', 'configmaps', 'kube-system')
const NAME = 'poolwright-cluster'

/** What a cluster was made from, kept in the cluster itself; its presence says that it was made to the end. */
export interface ClusterRecord {
  /** Hash of all inputs. */
  readonly inputs: string
}

/** Undefined where none of ours, or one that was never finished. */
export async function readRecord(
  client: KubeClient,
  signal: AbortSignal,
): Promise<ClusterRecord | undefined> {
  try {
    const { data = {} } = await client.get<ConfigMap>(objectPath(CONFIG_MAPS, NAME), signal)
    return { inputs: data.inputs ?? '' }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

export async function writeRecord(
  client: KubeClient,
  record: ClusterRecord,
  signal: AbortSignal,
): Promise<void> {
  const metadata = { name: NAME, namespace: 'kube-system' }
  await client.create(
    CONFIG_MAPS,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { ...record } },
    signal,
  )
}
