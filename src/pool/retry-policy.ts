import { PoolwrightError } from '../contract/errors.ts'
import type { RetryPolicy } from '../contract/pool.ts'

const DEFAULT_ATTEMPTS = 5
const DEFAULT_BASE_DELAY_MS = 500
const MOST_ATTEMPTS = 1_000
const LONGEST_BASE_DELAY_MS = 60_000
/** A day: timers of Node end at 2^31 milliseconds. */
const LONGEST_DEADLINE_MS = 86_400_000

export interface CheckedPolicy {
  /** Infinity under a deadline. */
  readonly attempts: number
  readonly baseDelayMs: number
  readonly deadlineMs?: number
}

/** The policy with its defaults; throws InvalidRequest for one that makes no sense. */
export function checkPolicy(policy: RetryPolicy = {}): CheckedPolicy {
  const baseDelayMs = policy.baseDelayMs ?? DEFAULT_BASE_DELAY_MS
  demand('baseDelayMs', baseDelayMs, 0, LONGEST_BASE_DELAY_MS)
  if (policy.deadlineMs !== undefined) {
    demand('deadlineMs', policy.deadlineMs, 1, LONGEST_DEADLINE_MS)
    return { attempts: Number.POSITIVE_INFINITY, baseDelayMs, deadlineMs: policy.deadlineMs }
  }
  const attempts = policy.attempts ?? DEFAULT_ATTEMPTS
  demand('attempts', attempts, 1, MOST_ATTEMPTS)
  if (!Number.isInteger(attempts)) refuse('attempts', attempts, 'a whole number')
  return { attempts, baseDelayMs }
}

function demand(name: string, value: number, least: number, most: number): void {
  if (!(value >= least && value <= most)) refuse(name, value, `a number from ${least} to ${most}`)
}

function refuse(name: string, value: number, expected: string): never {
  throw new PoolwrightError('InvalidRequest', `Retry policy: ${name} is ${value}; expected ${expected}.`)
}
