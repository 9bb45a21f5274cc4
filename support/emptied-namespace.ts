import type { KubernetesObject } from '../src/contract/kubernetes.ts'
import { listAll } from '../src/kube/list.ts'
import { collectionPath, objectPath } from '../src/kube/paths.ts'
import type { PoolwrightWorld } from './world.ts'

const NAMESPACES = collectionPath('v1', 'namespaces')
/** What scenarios put into their namespaces, and what the cluster adds to it. */
const RESOURCES: readonly (readonly [string, string])[] = [
  ['v1', 'pods'],
  ['v1', 'persistentvolumeclaims'],
  ['v1', 'services'],
  ['v1', 'configmaps'],
  ['v1', 'serviceaccounts'],
  ['discovery.k8s.io/v1', 'endpointslices'],
]

/** Asks for the deletion of the scenario's own namespace, and doesn't wait. */
export async function deleteOwnNamespace({ kube, namespace, signal }: PoolwrightWorld): Promise<void> {
  await kube.delete(objectPath(NAMESPACES, namespace), undefined, signal)
}

/** Watches until the scenario's own namespace is gone. */
export async function untilNamespaceGone(world: PoolwrightWorld): Promise<void> {
  await world.waitFor<KubernetesObject, true>({
    for: `namespace ${world.namespace} to be gone`,
    path: NAMESPACES,
    fieldSelector: `metadata.name=${world.namespace}`,
    until: (namespaces) => namespaces.length === 0,
    // First what is in it goes, then the namespace: one reaction after another.
    limitMs: 2 * world.limits.reaction,
  })
}

/** What is in the scenario's own namespace, each as `pods/web`. */
export async function contentOfNamespace({
  kube,
  namespace,
  signal,
}: PoolwrightWorld): Promise<readonly string[]> {
  const lists = await Promise.all(
    RESOURCES.map(async ([apiVersion, resource]) => {
      const path = collectionPath(apiVersion, resource, namespace)
      const { objects } = await listAll(kube, { path, signal })
      return objects.map(({ metadata }) => `${resource}/${metadata?.name}`)
    }),
  )
  return lists.flat()
}
