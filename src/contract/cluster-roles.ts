/** What features call a kind of storage. */
export const STORAGE_ROLES = ['local', 'csi', 'movable'] as const
export type StorageRole = (typeof STORAGE_ROLES)[number]

/** What features call a pool of load-balancer addresses; `small` has two. */
export const ADDRESS_POOLS = ['game', 'management', 'small'] as const
export type AddressPoolRole = (typeof ADDRESS_POOLS)[number]

/** What features call a node that scenarios may change. */
export const NODE_ROLES = ['data', 'management'] as const
export type NodeRole = (typeof NODE_ROLES)[number]

export interface Toleration {
  readonly key: string
  readonly operator: 'Exists'
  readonly effect: string
}

/** What stands behind the names that features use, as one cluster has it. What it lacks is absent. */
export interface ClusterRoles {
  /** Names of Nodes; those that scenarios may change and that have no role of their own come last. */
  readonly nodes: Readonly<Record<NodeRole, readonly string[]>>
  /** A Node that no drill touches, for players and probes, and what a pod there must tolerate. */
  readonly instruments?: { readonly node: string; readonly tolerations: readonly Toleration[] }
  /** Names of StorageClasses. */
  readonly storage: Readonly<Partial<Record<StorageRole, string>>>
  /** Names of pools of load-balancer addresses. */
  readonly addressPools: Readonly<Partial<Record<AddressPoolRole, string>>>
  /** An image with Node 20 or newer that the nodes have. */
  readonly workloadImage?: string
}
