import { ApiStatusError, isConflict } from '../../src/kube/api-status-error.ts'
import { BackOff } from '../../src/kube/back-off.ts'

const ATTEMPTS = 8
const BASE_DELAY_MS = 50
const MAX_DELAY_MS = 2_000

/**
 * Asks again where the answer was lost, or the API is busy or broken: what it is used for may take effect twice. Throws the
 * last failure, or the signal's reason.
 */
export async function persist<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
  const backOff = new BackOff(BASE_DELAY_MS, MAX_DELAY_MS)
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await request()
    } catch (error) {
      signal.throwIfAborted()
      if (!isPassing(error) || attempt === ATTEMPTS) throw error
      await backOff.wait(retryAfterMs(error) ?? backOff.next(), signal)
    }
  }
}

/** Whether it may be well a moment later: no answer came, or one that promises nothing. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiStatusError)) return (error as Error).name === 'KubeRequestError'
  return error.code === 429 || error.code >= 500
}

/** Whether the write surely did not take effect. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiStatusError && error.code < 500 && !isConflict(error)
}

function retryAfterMs(error: unknown): number | undefined {
  const seconds = error instanceof ApiStatusError ? error.retryAfterSeconds : undefined
  return seconds === undefined ? undefined : Math.min(seconds * 1_000, MAX_DELAY_MS)
}
