/** The node pool as plain data: what an implementation reads, decides and reports. */

export type PoolStatus = 'available' | 'in-use' | 'quarantined'
export const POOL_STATUSES: readonly PoolStatus[] = ['available', 'in-use', 'quarantined']

export type AddressType = 'ip' | 'dns'
export const ADDRESS_TYPES: readonly AddressType[] = ['ip', 'dns']

/** One entry of the pool. Times are RFC 3339 in UTC; absent fields are absent, never empty strings. */
export interface PoolEntry {
  readonly address: string
  readonly status: PoolStatus
  readonly username: string
  readonly addressType: AddressType
  readonly platform: string
  readonly machine?: string
  readonly testId?: string
  readonly allocatedAt?: string
  readonly lastUpdated?: string
}

/** Why an entry is set aside: the field that is wrong and what was found there. */
export interface MalformedEntry {
  readonly address: string
  readonly field: string
  readonly found: string
}

export interface PoolStats {
  /** The ConfigMap exists. */
  readonly enabled: boolean
  /** All keys, malformed ones included. */
  readonly total: number
  readonly available: number
  readonly inUse: number
  readonly quarantined: number
  readonly malformed: number
  readonly byPlatform: Readonly<Record<string, number>>
}

export interface PoolListing {
  readonly entries: readonly PoolEntry[]
  readonly malformed: readonly MalformedEntry[]
}

/** How long an operation tries: a count of attempts, or a deadline instead of it. */
export interface RetryPolicy {
  /** Attempts in all, conflicts and transient failures together. Default 5; ignored when `deadlineMs` is given. */
  readonly attempts?: number
  /** Milliseconds; the delay before attempt n+1 is drawn from 0 to base × 2^(n-1). Default 500. */
  readonly baseDelayMs?: number
  /** Milliseconds from the start of the operation, in place of a count. */
  readonly deadlineMs?: number
}

/** Which write protects a decision: the ConfigMap's resourceVersion (default), or a test of the entry alone. */
export type LockStrategy = 'resource-version' | 'entry'
