import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { collectionPath } from '../../src/kube/paths.ts'
import { waitFor } from '../../src/kube/wait-for.ts'

const NODES = { path: collectionPath('v1', 'nodes'), labelSelector: 'kubernetes.io/os=linux' }
const LEASES = { path: collectionPath('coordination.k8s.io/v1', 'leases', 'kube-node-lease') }
const DEPLOYMENTS = { path: collectionPath('apps/v1', 'deployments') }
const DAEMON_SETS = { path: collectionPath('apps/v1', 'daemonsets') }

/** Namespaces whose pods are the cluster's own floor; what scenarios leave elsewhere says nothing of its health. */
const FLOOR = /^(kube-system|metallb-system|local-path-storage|poolwright-.*)$/

/** Milliseconds; a kubelet renews its lease every 2 s, as cluster-config.yaml says. */
const SILENCE_MS = 10_000

interface Lease extends KubernetesObject {
  spec?: { renewTime?: string }
}

interface Workload extends KubernetesObject {
  spec?: { replicas?: number }
  status?: {
    observedGeneration?: number
    availableReplicas?: number
    updatedReplicas?: number
    desiredNumberScheduled?: number
    updatedNumberScheduled?: number
    numberAvailable?: number
  }
}

interface ClusterNode extends KubernetesObject {
  spec?: { unschedulable?: boolean }
  status?: { conditions?: { type?: string; status?: string }[] }
}

/** What is wrong with the cluster's own parts, in words; empty when it is whole. */
export async function ailments(client: KubeClient, signal: AbortSignal): Promise<string[]> {
  const [nodes, leases, deployments, daemonSets] = await Promise.all([
    listAll<ClusterNode>(client, { ...NODES, signal }),
    listAll<Lease>(client, { ...LEASES, signal }),
    listAll<Workload>(client, { ...DEPLOYMENTS, signal }),
    listAll<Workload>(client, { ...DAEMON_SETS, signal }),
  ])
  return [
    ...nodes.objects
      .filter((node) => !isReady(node))
      .map(({ metadata }) => `Node ${metadata?.name} is not Ready`),
    ...nodes.objects
      .filter(({ spec }) => spec?.unschedulable)
      .map(({ metadata }) => `Node ${metadata?.name} is cordoned`),
    ...nodes.objects
      .filter(({ metadata }) => isSilent(leases.objects, metadata?.name ?? ''))
      .map(({ metadata }) => `the kubelet of ${metadata?.name} is silent`),
    ...[...deployments.objects, ...daemonSets.objects]
      .filter(isFloor)
      .filter((each) => !isAvailable(each))
      .map(shown),
  ]
}

/** Waits until every part of the floor is there and available. Throws WaitLimitError that names what is not. */
export async function waitUntilWhole(
  client: KubeClient,
  limitMs: number,
  signal: AbortSignal,
): Promise<void> {
  await waitFor<ClusterNode, boolean>(client, {
    for: 'every Node to be Ready',
    ...NODES,
    until: (nodes) => nodes.length > 0 && nodes.every(isReady),
    show: (node) => `${node.metadata?.name} ${isReady(node) ? 'Ready' : 'not Ready'}`,
    limitMs,
    signal,
  })
  for (const { path } of [DEPLOYMENTS, DAEMON_SETS]) {
    await waitFor<Workload, boolean>(client, {
      for: 'the cluster’s own parts to be available',
      path,
      until: (found) => found.filter(isFloor).every(isAvailable),
      show: (each) =>
        isFloor(each) && !isAvailable(each) ? shown(each) : `${each.metadata?.name} is available`,
      limitMs,
      signal,
    })
  }
}

/** Right after an engine's restart the API still says what was true before: only a lease shows that a kubelet lives. */
function isSilent(leases: readonly Lease[], node: string): boolean {
  const renewed = leases.find(({ metadata }) => metadata?.name === node)?.spec?.renewTime
  return !(Date.now() - Date.parse(renewed ?? '') < SILENCE_MS)
}

function isReady({ status }: ClusterNode): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
}

function isFloor({ metadata }: KubernetesObject): boolean {
  return FLOOR.test(metadata?.namespace ?? '')
}

function isAvailable({ kind, metadata, spec, status = {} }: Workload): boolean {
  if ((status.observedGeneration ?? 0) < Number(metadata?.generation ?? 0)) return false
  if (kind === 'DaemonSet') {
    const wanted = status.desiredNumberScheduled ?? 0
    return wanted > 0 && status.numberAvailable === wanted && status.updatedNumberScheduled === wanted
  }
  const wanted = spec?.replicas ?? 1
  return (status.availableReplicas ?? 0) >= wanted && (status.updatedReplicas ?? 0) >= wanted
}

function shown({ kind, metadata, status }: Workload): string {
  return `${kind} ${metadata?.namespace}/${metadata?.name} is not available: ${JSON.stringify(status)}`
}
