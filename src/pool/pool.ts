import type { KubernetesApi } from '../api/kubernetes-api.ts'
import type {
  AddRequest,
  AllocateRequest,
  Options,
  ReclaimRequest,
  ReleaseRequest,
  RemoveRequest,
  RenewRequest,
  UpdateStatusRequest,
} from '../contract/implementation.ts'
import type { PoolEntry, PoolListing, PoolStats } from '../contract/pool.ts'
import { add, remove } from './add.ts'
import { allocate } from './allocate.ts'
import type { Journal } from './journal.ts'
import { type ReclaimProgress, reclaim } from './reclaim.ts'
import { release, renew } from './release.ts'
import { list, stats } from './survey.ts'
import { updateStatus } from './update-status.ts'

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
  reclaim(request: ReclaimRequest, progress?: ReclaimProgress): Promise<ReclaimResult>
  stats(): Promise<PoolStats>
  list(options?: Options): Promise<PoolListing>
}

/** Binds the operations to one ConfigMap; opening costs nothing and touches no cluster. */
export function openPool(context: PoolContext): Pool {
  return {
    allocate: (request) => allocate(context, request),
    release: (request) => release(context, request),
    renew: (request) => renew(context, request),
    updateStatus: (request) => updateStatus(context, request),
    add: (request) => add(context, request),
    remove: (request) => remove(context, request),
    reclaim: (request, progress) => reclaim(context, request, progress),
    stats: () => stats(context),
    list: (options) => list(context, options),
  }
}
