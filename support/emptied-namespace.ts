import type { KubernetesObject } from '../src/contract/kubernetes.ts'
import { objectPath } from '../src/kube/paths.ts'
import { NAMESPACES } from './scenario-namespace.ts'
import type { PoolwrightWorld } from './world.ts'

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
