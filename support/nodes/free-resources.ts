import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import type { ClusterNode } from './node.ts'
import { quantity } from './quantity.ts'

interface Container {
  readonly resources?: { readonly requests?: Readonly<Record<string, string>> }
}

interface RequestingPod extends KubernetesObject {
  spec?: {
    containers?: readonly Container[]
    initContainers?: readonly Container[]
    overhead?: Readonly<Record<string, string>>
  }
  status?: { phase?: string }
}

/** How much of a resource no pod of the node has asked for: cores of `cpu`, bytes of `memory`. Never more than there is. */
export async function freeOn(
  kube: KubeClient,
  node: string,
  resource: string,
  signal: AbortSignal,
): Promise<number> {
  const { status } = await kube.get<ClusterNode>(objectPath(collectionPath('v1', 'nodes'), node), signal)
  const pods = await listAll<RequestingPod>(kube, {
    path: collectionPath('v1', 'pods'),
    fieldSelector: `spec.nodeName=${node},status.phase!=Succeeded,status.phase!=Failed`,
    signal,
  })
  const asked = pods.objects.map((pod) => requested(pod, resource))
  return quantity(status?.allocatable?.[resource] ?? '0') - asked.reduce((sum, one) => sum + one, 0)
}

/** No less than the scheduler counts: it takes init containers for running before the others, unless they are sidecars. */
function requested({ spec }: RequestingPod, resource: string): number {
  const { containers = [], initContainers = [], overhead } = spec ?? {}
  const asked = [...containers, ...initContainers].map(
    ({ resources }) => resources?.requests?.[resource] ?? '0',
  )
  return [...asked, overhead?.[resource] ?? '0'].reduce((sum, one) => sum + quantity(one), 0)
}
