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

const PASSING_TAINT =
  /^node\.kubernetes\.io\/(not-ready|unreachable|unschedulable|network-unavailable|\w+-pressure)$/

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
  spec?: { unschedulable?: boolean; taints?: { key: string; value?: string; effect: string }[] }
  status?: { conditions?: { type?: string; status?: string }[] }
}

/** What a whole cluster consists of. */
export interface Floor {
  /** Taints as kubectl writes them, by the node's name. */
  readonly nodes: Readonly<Record<string, readonly string[]>>
  /** `Deployment kube-system/coredns`, … */
  readonly workloads: readonly string[]
}

/** What is there now. */
export async function readFloor(client: KubeClient, signal: AbortSignal): Promise<Floor> {
  const { nodes, workloads } = await readParts(client, signal)
  return {
    nodes: Object.fromEntries(nodes.map((node) => [node.metadata?.name ?? '', taintsOf(node)])),
    workloads: workloads.map(named),
  }
}

/** What is wrong with the cluster's own parts, in words; empty when it is whole. */
export async function ailments(client: KubeClient, floor: Floor, signal: AbortSignal): Promise<string[]> {
  const [{ nodes, workloads }, leases] = await Promise.all([
    readParts(client, signal),
    listAll<Lease>(client, { ...LEASES, signal }),
  ])
  const there = new Set([...nodes.map(({ metadata }) => metadata?.name ?? ''), ...workloads.map(named)])
  return [
    ...Object.keys(floor.nodes)
      .filter((name) => !there.has(name))
      .map((name) => `Node ${name} is gone`),
    ...floor.workloads.filter((name) => !there.has(name)).map((name) => `${name} is gone`),
    ...nodes.flatMap((node) => otherTaints(node, floor)),
    ...nodes.filter((node) => !isReady(node)).map(({ metadata }) => `Node ${metadata?.name} is not Ready`),
    ...nodes
      .filter(({ spec }) => spec?.unschedulable)
      .map(({ metadata }) => `Node ${metadata?.name} is cordoned`),
    ...nodes
      .filter(({ metadata }) => isSilent(leases.objects, metadata?.name ?? ''))
      .map(({ metadata }) => `the kubelet of ${metadata?.name} is silent`),
    ...workloads.filter((each) => !isAvailable(each)).map(shown),
  ]
}

interface Parts {
  readonly nodes: readonly ClusterNode[]
  readonly workloads: readonly Workload[]
}

async function readParts(client: KubeClient, signal: AbortSignal): Promise<Parts> {
  const [nodes, deployments, daemonSets] = await Promise.all([
    listAll<ClusterNode>(client, { ...NODES, signal }),
    listAll<Workload>(client, { ...DEPLOYMENTS, signal }),
    listAll<Workload>(client, { ...DAEMON_SETS, signal }),
  ])
  const workloads = [...deployments.objects, ...daemonSets.objects].filter(isFloor)
  return { nodes: nodes.objects, workloads }
}

/** On a node that belongs to the cluster: what a scenario that was killed put there or took away. */
function otherTaints(node: ClusterNode, floor: Floor): string[] {
  const name = node.metadata?.name ?? ''
  const wanted = floor.nodes[name]
  if (!wanted) return []
  const found = taintsOf(node)
  return [
    ...found.filter((taint) => !wanted.includes(taint)).map((taint) => `Node ${name} has taint ${taint}`),
    ...wanted.filter((taint) => !found.includes(taint)).map((taint) => `Node ${name} lost taint ${taint}`),
  ]
}

/** Without those that Kubernetes sets for what is seen elsewhere, and takes away when that is over. */
function taintsOf({ spec }: ClusterNode): string[] {
  return (spec?.taints ?? [])
    .filter(({ key }) => !PASSING_TAINT.test(key))
    .map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`)
}

function named({ kind, metadata }: Workload): string {
  return `${kind} ${metadata?.namespace}/${metadata?.name}`
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

function shown(workload: Workload): string {
  return `${named(workload)} is not available: ${JSON.stringify(workload.status)}`
}
