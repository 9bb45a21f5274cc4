import type { NodeOperations } from '../../clusters/provider.ts'
import { PROVIDERS } from '../../clusters/registry.ts'
import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { ifFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { waitFor } from '../../src/kube/wait-for.ts'
import { persist } from './persist.ts'

const NODES = collectionPath('v1', 'nodes')
const NODE_LEASES = collectionPath('coordination.k8s.io/v1', 'leases', 'kube-node-lease')

/** What can be done to the nodes of one cluster. */
export type NodeSwitch = {
  readonly [Operation in keyof NodeOperations]: (node: string, signal: AbortSignal) => Promise<void>
}

/** Undefined where a rung's nodes are somebody else's. */
export function nodeSwitchOf(rung: string, cluster: string): NodeSwitch | undefined {
  const nodes = PROVIDERS.find((provider) => provider.rung === rung)?.nodes
  if (!nodes) return undefined
  const bind =
    (operation: keyof NodeOperations) =>
    (node: string, signal: AbortSignal): Promise<void> =>
      nodes[operation]({ cluster, node, signal })
  return {
    stopKubelet: bind('stopKubelet'),
    startKubelet: bind('startKubelet'),
    kill: bind('kill'),
    bringBack: bind('bringBack'),
  }
}

interface ClusterNode extends KubernetesObject {
  status?: { conditions?: { type?: string; status?: string }[] }
}

interface Lease extends KubernetesObject {
  spec?: { renewTime?: string }
}

/**
 * Does it, and waits until the node is Ready and its kubelet has been heard since: what a Node says of itself outlives its
 * kubelet by most of a minute.
 */
export async function untilReady(
  kube: KubeClient,
  node: string,
  operation: () => Promise<void>,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const before = await renewTime(kube, node, signal)
  await operation()
  await waitFor<Lease, true>(kube, {
    for: `the kubelet of ${node} to be heard again`,
    path: NODE_LEASES,
    fieldSelector: `metadata.name=${node}`,
    until: ([lease]) =>
      (lease?.spec?.renewTime !== undefined && lease.spec.renewTime !== before) || undefined,
    limitMs,
    signal,
  })
  await waitFor<ClusterNode, true>(kube, {
    for: `node ${node} to be Ready`,
    path: NODES,
    fieldSelector: `metadata.name=${node}`,
    until: ([found]) =>
      found?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ||
      undefined,
    show: ({ status }) => JSON.stringify(status?.conditions),
    limitMs,
    signal,
  })
}

async function renewTime(kube: KubeClient, node: string, signal: AbortSignal): Promise<string | undefined> {
  const path = objectPath(NODE_LEASES, node)
  const lease = await ifFound(persist(signal, () => kube.get<Lease>(path, signal)))
  return lease?.spec?.renewTime
}
