import type { Capability } from '../src/contract/capabilities.ts'
import {
  ADDRESS_POOLS,
  type AddressPoolRole,
  type ClusterRoles,
  NODE_ROLES,
  type NodeRole,
  STORAGE_ROLES,
  type StorageRole,
  type Toleration,
} from '../src/contract/cluster-roles.ts'
import type { KubernetesObject } from '../src/contract/kubernetes.ts'
import {
  ADDRESS_POOL_LABEL,
  NODE_ROLE_LABEL,
  STAND_IN_LABEL,
  STORAGE_ROLE_LABEL,
  TEST_POOL_LABEL,
} from '../src/contract/names.ts'
import { ApiStatusError, isNotFound } from '../src/kube/api-status-error.ts'
import type { KubeClient } from '../src/kube/client.ts'
import { listAll } from '../src/kube/list.ts'
import { collectionPath } from '../src/kube/paths.ts'

interface ClusterNode extends KubernetesObject {
  spec?: { unschedulable?: boolean; taints?: { key: string; effect: string }[] }
  status?: { conditions?: { type?: string; status?: string }[]; images?: { names?: string[] }[] }
}

/** Of our own making, wherever it was built. */
const WORKLOAD_IMAGE = /(?:^|\/)poolwright\.dev\/workload:/

/**
 * What a cluster has for the features' roles: marked by labels, or seen on its nodes. `workloadImage` is what somebody
 * has named; without it one of our own making that a node has.
 */
export async function detectRoles(
  client: KubeClient,
  signal: AbortSignal,
  workloadImage?: string,
): Promise<ClusterRoles> {
  const [nodes, classes, pools] = await Promise.all([
    list<ClusterNode>(client, collectionPath('v1', 'nodes'), signal),
    list(client, collectionPath('storage.k8s.io/v1', 'storageclasses'), signal),
    list(client, collectionPath('metallb.io/v1beta1', 'ipaddresspools'), signal),
  ])
  const real = nodes.filter((node) => !node.metadata?.labels?.[STAND_IN_LABEL])
  const instruments = instrumentsOf(real)
  const image = workloadImage ?? imageOn(real)
  return {
    nodes: rolesOfNodes(real.filter(isMarked)),
    storage: byRole<StorageRole>(classes, STORAGE_ROLE_LABEL, STORAGE_ROLES),
    addressPools: byRole<AddressPoolRole>(pools, ADDRESS_POOL_LABEL, ADDRESS_POOLS),
    ...(instruments && { instruments }),
    ...(image !== undefined && { workloadImage: image }),
  }
}

/** Nodes that have no role take whichever has fewer, data first, in the order of their names. */
function rolesOfNodes(marked: readonly ClusterNode[]): Record<NodeRole, string[]> {
  const roles: Record<NodeRole, string[]> = { data: [], management: [] }
  const rest: string[] = []
  for (const { metadata } of marked.toSorted(byName)) {
    const role = NODE_ROLES.find((known) => known === metadata?.labels?.[NODE_ROLE_LABEL])
    ;(role ? roles[role] : rest).push(metadata?.name ?? '')
  }
  for (const name of rest)
    (roles.management.length < roles.data.length ? roles.management : roles.data).push(name)
  return roles
}

/** A Ready node that is nobody's to change, with as few taints as there are. */
function instrumentsOf(nodes: readonly ClusterNode[]): ClusterRoles['instruments'] {
  const [node] = nodes
    .filter((one) => !isMarked(one) && isReady(one) && !one.spec?.unschedulable)
    .toSorted((a, b) => (a.spec?.taints?.length ?? 0) - (b.spec?.taints?.length ?? 0) || byName(a, b))
  if (!node) return undefined
  const tolerations = (node.spec?.taints ?? []).map(
    ({ key, effect }): Toleration => ({ key, operator: 'Exists', effect }),
  )
  return { node: node.metadata?.name ?? '', tolerations }
}

function imageOn(nodes: readonly ClusterNode[]): string | undefined {
  return nodes
    .flatMap(({ status }) => status?.images ?? [])
    .flatMap(({ names = [] }) => names)
    .find((name) => WORKLOAD_IMAGE.test(name) && !name.includes('@'))
}

function byRole<Role extends string>(
  objects: readonly KubernetesObject[],
  label: string,
  roles: readonly Role[],
): Partial<Record<Role, string>> {
  const found: Partial<Record<Role, string>> = {}
  for (const { metadata } of objects.toSorted(byName)) {
    const role = roles.find((known) => known === metadata?.labels?.[label])
    if (role && metadata?.name) found[role] ??= metadata.name
  }
  return found
}

function isMarked({ metadata }: KubernetesObject): boolean {
  return metadata?.labels?.[TEST_POOL_LABEL] !== undefined
}

function isReady({ status }: ClusterNode): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false
}

function byName(a: KubernetesObject, b: KubernetesObject): number {
  return (a.metadata?.name ?? '').localeCompare(b.metadata?.name ?? '')
}

/** Nothing where this cluster has no such API, or we may not look. */
async function list<T extends KubernetesObject>(
  client: KubeClient,
  path: string,
  signal: AbortSignal,
): Promise<readonly T[]> {
  try {
    return (await listAll<T>(client, { path, signal })).objects
  } catch (error) {
    if (isNotFound(error) || (error instanceof ApiStatusError && error.code === 403)) return []
    throw error
  }
}

/** What follows from the roles that a cluster has for what scenarios may need of it. */
export function capabilitiesOf(roles: ClusterRoles): Capability[] {
  const { nodes, storage, addressPools, workloadImage, instruments } = roles
  const has: Readonly<Record<string, boolean>> = {
    'workload-image': workloadImage !== undefined && instruments !== undefined,
    'test-nodes': nodes.data.length > 0 && nodes.management.length > 0,
    'local-storage': storage.local !== undefined,
    'csi-storage': storage.csi !== undefined,
    'movable-storage': storage.movable !== undefined,
    'load-balancer': ADDRESS_POOLS.every((role) => addressPools[role] !== undefined),
  }
  return Object.keys(has).filter((name) => has[name]) as Capability[]
}
