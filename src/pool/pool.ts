import type { KubernetesApi } from '../api/kubernetes-api.ts'
import type {
  AddRequest,
  AllocateRequest,
  ReclaimRequest,
  ReleaseRequest,
  RemoveRequest,
  RenewRequest,
  UpdateStatusRequest,
} from '../contract/implementation.ts'
import type { PoolEntry, PoolListing, PoolStats } from '../contract/pool.ts'
import type { Journal } from './journal.ts'

/** Everything an operation of the pool works with. */
export interface PoolContext {
  readonly api: KubernetesApi
  readonly namespace: string
  readonly configMap: string
  readonly journal: Journal
  readonly signal: AbortSignal
}

/** What became of one entry. `node` is the entry as it now is (as it last was, when it was removed). */
export interface EntryResult {
  readonly node?: PoolEntry
  /** The effect was already there; nothing was written. */
  readonly unchanged?: boolean
  /** resourceVersion decided on, and the one after the write. */
  readonly before?: string
  readonly after?: string
}

export interface ReclaimResult {
  readonly reclaimed: readonly PoolEntry[]
  readonly kept: readonly { readonly address: string; readonly reason: string }[]
}

/** The pool's operations. They throw PoolwrightError for every refusal and failure, and nothing else. */
export interface Pool {
  allocate(request: AllocateRequest): Promise<EntryResult>
  release(request: ReleaseRequest): Promise<EntryResult>
  renew(request: RenewRequest): Promise<EntryResult>
  updateStatus(request: UpdateStatusRequest): Promise<EntryResult>
  add(request: AddRequest): Promise<EntryResult>
  remove(request: RemoveRequest): Promise<EntryResult>
  reclaim(request: ReclaimRequest): Promise<ReclaimResult>
  stats(): Promise<PoolStats>
  list(): Promise<PoolListing>
}

/** Binds the operations to one ConfigMap; opening costs nothing and touches no cluster. */
export function openPool(_context: PoolContext): Pool {
  throw new Error('being written')
}
