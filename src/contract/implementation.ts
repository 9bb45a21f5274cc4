/**
 * What the suite drives: any implementation of the pool, seen as plain data in and out. A module given by
 * `--implementation` has an Implementation as its default export; the reference one is the default.
 * Operations never throw for what the cluster or the pool says: that is an outcome with an `error`.
 */
import type { ErrorCode } from './error-codes.ts'
import type {
  AddressType,
  LockStrategy,
  PoolEntry,
  PoolListing,
  PoolStats,
  PoolStatus,
  RetryPolicy,
} from './pool.ts'

export interface Implementation {
  readonly name: string
  connect(connection: Connection): Promise<PoolUnderTest>
}

export interface Connection {
  /** Path of a kubeconfig file. */
  readonly kubeconfig: string
  /** Cancels whatever is under way. */
  readonly signal: AbortSignal
  readonly namespace: string
  readonly configMap: string
}

/** Options that every operation takes. */
export interface Options {
  readonly retry?: RetryPolicy
  readonly strategy?: LockStrategy
}

export interface AllocateRequest extends Options {
  readonly testId: string
  readonly platform?: string
  readonly addressType?: AddressType
}

export interface ReleaseRequest extends Options {
  readonly address: string
  readonly testId: string
  /** Fences the lease: refuse when the entry is now held under another allocation time. */
  readonly allocatedAt?: string
  /** The host is suspect: quarantine it instead of offering it again. */
  readonly failed?: boolean
}

export interface RenewRequest extends Options {
  readonly address: string
  readonly testId: string
  readonly allocatedAt: string
}

export interface UpdateStatusRequest extends Options {
  readonly address: string
  readonly to: PoolStatus
  readonly testId?: string
}

export interface AddRequest extends Options {
  readonly address: string
  readonly username: string
  readonly platform: string
  readonly addressType: AddressType
  readonly status?: PoolStatus
  readonly machine?: string
}

export interface RemoveRequest extends Options {
  readonly address: string
  /** Also an entry that is in use. */
  readonly force?: boolean
}

export interface ReclaimRequest extends Options {
  /** Seconds since the lease was last renewed. */
  readonly olderThanSeconds: number
}

export interface SetByohRequest extends Options {
  readonly testId: string
  /** One host per address type, all or none. */
  readonly addressTypes: readonly AddressType[]
  readonly platform?: string
  /** Milliseconds that a configured host gets to become Ready. */
  readonly readyWithinMs: number
  /** The MachineSet to copy the provider's settings from when falling back; the first Windows one by default. */
  readonly machineSetTemplate?: string
}

export interface CleanUpByohRequest extends Options {
  readonly testId: string
  /** Milliseconds that a host gets to be no longer configured. */
  readonly goneWithinMs: number
  /** The test itself failed on the host: release as failed. */
  readonly failed?: boolean
}

export interface PoolUnderTest {
  allocate(request: AllocateRequest): Promise<EntryOutcome>
  release(request: ReleaseRequest): Promise<EntryOutcome>
  renew(request: RenewRequest): Promise<EntryOutcome>
  updateStatus(request: UpdateStatusRequest): Promise<EntryOutcome>
  add(request: AddRequest): Promise<EntryOutcome>
  remove(request: RemoveRequest): Promise<EntryOutcome>
  reclaim(request: ReclaimRequest): Promise<ReclaimOutcome>
  stats(): Promise<StatsOutcome>
  list(): Promise<ListOutcome>
  setByoh(request: SetByohRequest): Promise<ByohOutcome>
  /** Finds what setByoh of this test id left, in the cluster alone, so it works after a crash; safe to repeat. */
  cleanUpByoh(request: CleanUpByohRequest): Promise<ByohCleanUpOutcome>
  readiness(): Promise<ReadinessOutcome>
}

/** The typed refusal or failure of an operation. */
export interface OutcomeError {
  readonly code: ErrorCode
  readonly fallbackAllowed: boolean
  readonly message: string
  readonly remedy: string
}

/** One line of the structured log: who asked, what was decided, why, at which resourceVersion. */
export interface LogRecord {
  readonly time: string
  readonly level: 'info' | 'warn' | 'error'
  readonly operation: string
  readonly decision: string
  readonly reason?: string
  readonly testId?: string
  readonly address?: string
  readonly resourceVersion?: string
  readonly attempt?: number
}

export interface Outcome {
  readonly error?: OutcomeError
  /** Attempts made, the first included. */
  readonly attempts: number
  /** Milliseconds waited before attempt 2, 3, … */
  readonly delays: readonly number[]
  readonly log: readonly LogRecord[]
}

export interface EntryOutcome extends Outcome {
  /** The entry as decided on: absent when nothing was found or the operation failed before. */
  readonly node?: PoolEntry
  /** The operation found its effect already there and wrote nothing. */
  readonly unchanged?: boolean
  /** resourceVersion of the ConfigMap decided on, and the one after the write. */
  readonly before?: string
  readonly after?: string
}

export interface ReclaimOutcome extends Outcome {
  readonly reclaimed: readonly PoolEntry[]
  /** Leases left alone although their age is in doubt, with the reason. */
  readonly kept: readonly { readonly address: string; readonly reason: string }[]
}

export interface StatsOutcome extends Outcome {
  readonly stats?: PoolStats
}

export interface ListOutcome extends Outcome {
  readonly listing?: PoolListing
}

export interface ByohHost {
  readonly source: 'pool' | 'machine-set'
  readonly address: string
  readonly addressType: AddressType
  readonly username?: string
  /** Name of the Ready Node. */
  readonly node: string
}

export interface ByohOutcome extends Outcome {
  readonly source?: 'pool' | 'machine-set'
  /** Why it fell back: the pool's own error. */
  readonly fallbackReason?: OutcomeError
  readonly hosts: readonly ByohHost[]
  readonly machineSet?: string
}

export interface ByohCleanUpOutcome extends Outcome {
  readonly removedInstances: readonly string[]
  readonly released: readonly string[]
  readonly removedMachineSets: readonly string[]
}

export interface ReadinessRow {
  /** `API server`, `Windows Machine Config Operator`, `Node pool`, `Node <name>`. */
  readonly subject: string
  readonly ready: boolean
  /** RFC 3339: since when it is as it is, where the cluster says so. */
  readonly since?: string
  readonly detail: string
}

export interface ReadinessOutcome extends Outcome {
  readonly ready: boolean
  readonly rows: readonly ReadinessRow[]
}
