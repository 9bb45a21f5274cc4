import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { collectionPath } from '../../src/kube/paths.ts'
import { NotAllowedError } from './guard.ts'
import { persist } from './persist.ts'

interface ResourceList {
  readonly resources?: readonly {
    readonly name: string
    readonly kind: string
    readonly namespaced: boolean
  }[]
}

/** The collection that an object of this kind is made in. Throws NotAllowedError for what lives in a namespace. */
export async function clusterScopedCollection(
  kube: KubeClient,
  { apiVersion = '', kind }: KubernetesObject,
  signal: AbortSignal,
): Promise<string> {
  const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const { resources = [] } = await persist(signal, () => kube.get<ResourceList>(path, signal))
  const found = resources.find((one) => one.kind === kind && !one.name.includes('/'))
  if (!found) throw new NotAllowedError(`the cluster knows no ${kind} of ${apiVersion}`)
  if (found.namespaced)
    throw new NotAllowedError(`a ${kind} lives in a namespace: make it in the scenario’s own`)
  return collectionPath(apiVersion, found.name)
}
