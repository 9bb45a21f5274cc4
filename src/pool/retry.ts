import { ApiFailure } from '../api/api-failure.ts'
import { PoolwrightError } from '../contract/errors.ts'
import { openPace, type Pace } from './pace.ts'
import type { PoolContext } from './pool.ts'
import { refusalOf } from './refusal.ts'
import type { CheckedPolicy } from './retry-policy.ts'
import { wait } from './wait.ts'

/** One try of an operation; throws an ApiFailure for what another try may mend, and tells the pace what it saw. */
export type Attempt<T> = (signal: AbortSignal, pace: Pace) => Promise<T>

/**
 * Tries until it succeeds, is refused, or its budget is spent. Conflicts and transient failures share the budget.
 * Throws PoolwrightError only.
 */
export async function retry<T>(
  context: PoolContext,
  operation: string,
  policy: CheckedPolicy,
  attempt: Attempt<T>,
): Promise<T> {
  const end = performance.now() + (policy.deadlineMs ?? Number.POSITIVE_INFINITY)
  const deadline = policy.deadlineMs === undefined ? undefined : AbortSignal.timeout(policy.deadlineMs)
  const signal = deadline ? AbortSignal.any([context.signal, deadline]) : context.signal
  const { journal } = context
  const pace = openPace(policy)
  const firstDelay = journal.delays.length
  let last: ApiFailure | undefined
  for (let tries = 1; ; tries++) {
    const started = performance.now()
    try {
      signal.throwIfAborted()
      journal.attempts++
      return await attempt(signal, pace)
    } catch (error) {
      if (error instanceof PoolwrightError) throw error
      last = error instanceof ApiFailure ? error : last
      const tried = describe(context, operation, tries, journal.delays.slice(firstDelay), last)
      if (context.signal.aborted) throw new PoolwrightError('Cancelled', `Given up by the caller: ${tried}`)
      if (deadline?.aborted) throw tooLate(policy, 'have passed', tried)
      if (!(error instanceof ApiFailure)) throw error
      if (!isWorthAnother(error)) throw refusalOf(error, context)
      if (tries >= policy.attempts) throw new PoolwrightError('AttemptsExhausted', tried, { cause: error })
      const left = end - performance.now()
      const delay = pace.delayAfter({ failure: error, tries, took: performance.now() - started, left })
      if (delay >= left) throw tooLate(policy, 'leave no room for another attempt', tried)
      journal.delays.push(delay)
      journal.record('warn', {
        operation,
        decision: `try again in ${delay} ms`,
        reason: error.message,
        attempt: tries,
      })
      // When it is cut short, the next round says why.
      await wait(delay, signal).catch(() => undefined)
    }
  }
}

function isWorthAnother({ kind }: ApiFailure): boolean {
  return kind === 'conflict' || kind === 'transient'
}

function tooLate({ deadlineMs }: CheckedPolicy, how: string, tried: string): PoolwrightError {
  return new PoolwrightError('DeadlineExceeded', `The ${deadlineMs} ms of the deadline ${how}: ${tried}`)
}

function describe(
  context: PoolContext,
  operation: string,
  tries: number,
  delays: readonly number[],
  last: ApiFailure | undefined,
): string {
  const waited = delays.length > 0 ? `, after waiting ${shown(delays)} ms` : ''
  const said = last ? `; the last answer was: ${last.message}` : ''
  const attempts = tries === 1 ? '1 attempt' : `${tries} attempts`
  return `${operation} on ConfigMap ${context.namespace}/${context.configMap}, ${attempts}${waited}${said}`
}

/** Under a deadline there may be hundreds: then their sum says as much. */
function shown(delays: readonly number[]): string {
  if (delays.length <= 10) return delays.join(', ')
  return `${delays.length} times, in all ${delays.reduce((sum, delay) => sum + delay, 0)}`
}
