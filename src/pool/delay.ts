import type { CheckedPolicy } from './retry-policy.ts'

/** However long a server asks us to wait, an operation without a deadline waits no longer at a time. */
const LONGEST_WAIT_MS = 60_000
/** Under a deadline, no delay takes more of the time left than this share: whoever comes last still has several tries. */
const SHARE_OF_TIME_LEFT = 1 / 8

export interface Situation {
  /** Attempts made so far. */
  readonly tries: number
  readonly policy: CheckedPolicy
  /** Milliseconds until the deadline, where there is one. */
  readonly left: number | undefined
  readonly retryAfterMs: number | undefined
}

/** Milliseconds to wait before the next attempt: exponential with full jitter, never less than the server asked for. */
export function chooseDelay({ tries, policy, left, retryAfterMs = 0 }: Situation): number {
  const exponential = policy.baseDelayMs * 2 ** Math.min(tries - 1, 30)
  const most = left === undefined ? LONGEST_WAIT_MS : left * SHARE_OF_TIME_LEFT
  const drawn = Math.random() * Math.min(exponential, most)
  return Math.round(Math.max(drawn, Math.min(retryAfterMs, LONGEST_WAIT_MS)))
}
