import { ApiStatusError } from '../src/kube/api-status-error.ts'
import type { KubeClient } from '../src/kube/client.ts'
import { listAll } from '../src/kube/list.ts'
import { collectionPath } from '../src/kube/paths.ts'

/** One object in a namespace. */
export interface Content {
  /** `pods`. */
  readonly resource: string
  readonly name: string
}

/** What scenarios put into their namespaces, and what the cluster adds to it; Events apart. */
const RESOURCES: readonly (readonly [string, string])[] = [
  ['v1', 'configmaps'],
  ['v1', 'secrets'],
  ['v1', 'serviceaccounts'],
  ['v1', 'services'],
  ['v1', 'pods'],
  ['v1', 'persistentvolumeclaims'],
  ['apps/v1', 'deployments'],
  ['coordination.k8s.io/v1', 'leases'],
  ['discovery.k8s.io/v1', 'endpointslices'],
]

/** What is in a namespace. */
export async function contentOf(
  kube: KubeClient,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly Content[]> {
  const lists = RESOURCES.map(async ([apiVersion, resource]) => {
    const path = collectionPath(apiVersion, resource, namespace)
    const { objects } = await listAll(kube, { path, signal }).catch((error: unknown) => {
      // What an API does not serve can't be there.
      if (error instanceof ApiStatusError && [404, 501].includes(error.code)) return { objects: [] }
      throw error
    })
    return objects.map(({ metadata }) => ({ resource, name: metadata?.name ?? '' }))
  })
  return (await Promise.all(lists)).flat()
}
