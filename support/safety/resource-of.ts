import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { servedResources } from '../../src/kube/discovery.ts'
import { collectionPath } from '../../src/kube/paths.ts'
import { NotAllowedError } from './guard.ts'
import { persist } from './persist.ts'

/** The collection that an object of this kind is made in. Throws NotAllowedError for what lives in a namespace. */
export async function clusterScopedCollection(
  kube: KubeClient,
  { apiVersion = '', kind }: KubernetesObject,
  signal: AbortSignal,
): Promise<string> {
  const resources = await servedResources(kube, apiVersion, signal, (read) => persist(signal, read))
  const found = resources.find((one) => one.kind === kind && !one.name.includes('/'))
  if (!found) throw new NotAllowedError(`the cluster knows no ${kind} of ${apiVersion}`)
  if (found.namespaced)
    throw new NotAllowedError(`a ${kind} lives in a namespace: make it in the scenario’s own`)
  return collectionPath(apiVersion, found.name)
}
