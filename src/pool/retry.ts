import { ApiFailure } from '../api/api-failure.ts'
import { PoolwrightError } from '../contract/errors.ts'
import { chooseDelay } from './delay.ts'
import type { PoolContext } from './pool.ts'
import { refusalOf } from './refusal.ts'
import type { CheckedPolicy } from './retry-policy.ts'
import { wait } from './wait.ts'

/** One try of an operation; throws an ApiFailure for what another try may mend. */
export type Attempt<T> = (signal: AbortSignal) => Promise<T>

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
  const started = performance.now()
  const deadline = policy.deadlineMs === undefined ? undefined : AbortSignal.timeout(policy.deadlineMs)
  const signal = deadline ? AbortSignal.any([context.signal, deadline]) : context.signal
  const { journal } = context
  let last: ApiFailure | undefined
  const firstDelay = journal.delays.length
  for (let tries = 1; ; tries++) {
    try {
      signal.throwIfAborted()
      journal.attempts++
      return await attempt(signal)
    } catch (error) {
      if (error instanceof PoolwrightError) throw error
      if (!signal.aborted) {
        if (!(error instanceof ApiFailure)) throw error
        last = error
      }
    }
    const spent = () => describe(context, operation, tries, journal.delays.slice(firstDelay), last)
    if (context.signal.aborted) throw new PoolwrightError('Cancelled', `Given up by the caller: ${spent()}`)
    if (deadline?.aborted)
      throw new PoolwrightError('DeadlineExceeded', `${policy.deadlineMs} ms are over: ${spent()}`)
    if (!last) throw new Error('no failure to retry')
    if (last.kind !== 'conflict' && last.kind !== 'transient') throw refusalOf(last, context)
    if (tries >= policy.attempts) throw new PoolwrightError('AttemptsExhausted', spent(), { cause: last })
    const left =
      policy.deadlineMs === undefined ? undefined : policy.deadlineMs - (performance.now() - started)
    const delay = chooseDelay({ tries, policy, left, retryAfterMs: last.retryAfterMs })
    if (left !== undefined && delay >= left)
      throw new PoolwrightError(
        'DeadlineExceeded',
        `${policy.deadlineMs} ms leave no room for another try: ${spent()}`,
      )
    journal.delays.push(delay)
    journal.record('warn', {
      operation,
      decision: `try again in ${delay} ms`,
      reason: last.message,
      attempt: tries,
    })
    await wait(delay, signal).catch(() => undefined)
  }
}

function describe(
  context: PoolContext,
  operation: string,
  tries: number,
  delays: readonly number[],
  last: ApiFailure | undefined,
): string {
  const waited = delays.length > 0 ? `, after waiting ${delays.join(', ')} ms` : ''
  const said = last ? `; the last answer was: ${last.message}` : ''
  const attempts = tries === 1 ? '1 attempt' : `${tries} attempts`
  return `${operation} on ConfigMap ${context.namespace}/${context.configMap}, ${attempts}${waited}${said}`
}
