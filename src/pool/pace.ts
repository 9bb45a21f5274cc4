import type { ApiFailure } from '../api/api-failure.ts'
import type { PoolView } from './pool-view.ts'
import type { CheckedPolicy } from './retry-policy.ts'

/** However long a server asks us to wait, or however often the delay doubled, no single wait is longer. */
const LONGEST_WAIT_MS = 60_000

/** One attempt that failed. */
export interface Failed {
  readonly failure: ApiFailure
  /** Attempts made so far, this one included. */
  readonly tries: number
  /** Milliseconds that the attempt took. */
  readonly took: number
  /** Milliseconds until the deadline; Infinity without one. */
  readonly left: number
}

/** Decides how long an operation waits between attempts, each time drawn at random from the whole window (full jitter). */
export interface Pace {
  /** Told of every read, for a pace that watches how busy the pool is. */
  saw(view: PoolView): void
  /** Milliseconds; never less than the server asked for. */
  delayAfter(failed: Failed): number
}

/** Under a count of attempts the window doubles each time; under a deadline it follows how busy the pool is. */
export function openPace(policy: CheckedPolicy, random: () => number = Math.random): Pace {
  const window = policy.deadlineMs === undefined ? doubling(policy) : adaptive(policy)
  return {
    saw: window.saw,
    delayAfter(failed) {
      const drawn = random() * window.after(failed)
      return Math.round(Math.max(drawn, Math.min(failed.failure.retryAfterMs ?? 0, LONGEST_WAIT_MS)))
    },
  }
}

interface Window {
  saw(view: PoolView): void
  after(failed: Failed): number
}

function doubling({ baseDelayMs }: CheckedPolicy): Window {
  return {
    saw: () => undefined,
    after: ({ tries }) => Math.min(baseDelayMs * 2 ** Math.min(tries - 1, 30), LONGEST_WAIT_MS),
  }
}

/** Writes of others per attempt of ours: above, there are too many of us at once; below, the pool idles between us. */
const TOO_BUSY = 1.5
const IDLE = 1
/** An attempt in a crowd takes as long as serving the crowd does: several times that spreads the crowd out at once. */
const ATTEMPTS_AT_FIRST = 4
/** No delay takes more of the time left, so that whoever has waited longest tries most often. */
const SHARE_OF_TIME_LEFT = 1 / 4

/**
 * Many contenders on one version can be served one at a time only. Each learns from what changed between its own reads
 * how often others succeed while it tries once, and widens or narrows its window by that: all see the same pool, so
 * all settle at about one attempt under way, however many they are, and speed up again as they become fewer.
 */
function adaptive({ baseDelayMs }: CheckedPolicy): Window {
  let window: number | undefined
  let before: { view: PoolView; at: number } | undefined
  let writesPerMs: number | undefined
  return {
    saw(view) {
      const at = performance.now()
      if (before) writesPerMs = changesBetween(before.view, view) / Math.max(1, at - before.at)
      before = { view, at }
    },
    after({ took, left }) {
      const busy = (writesPerMs ?? TOO_BUSY) * took
      if (window === undefined) window = Math.max(baseDelayMs, ATTEMPTS_AT_FIRST * took)
      else if (busy > TOO_BUSY) window *= 2
      else if (busy < IDLE) window /= 2
      window = Math.min(Math.max(window, baseDelayMs / 5), left * SHARE_OF_TIME_LEFT)
      return window
    },
  }
}

/** Entries that are not the very ones they were; unchanged texts are read once and stay the same object. */
function changesBetween(before: PoolView, after: PoolView): number {
  const known = new Set(before.entries)
  return after.entries.reduce((count, entry) => count + (known.has(entry) ? 0 : 1), 0)
}
