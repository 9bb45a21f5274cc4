import { PoolwrightError } from '../contract/errors.ts'
import type { KubeClient } from '../kube/client.ts'
import type { PoolContext } from './pool.ts'

/** What setBYOH works with beside the pool: its waits are watches, which the light client does. */
export interface ByohContext extends PoolContext {
  readonly kube: KubeClient
  /** The clock by which leases are renewed; the real one where none is given. */
  readonly every?: Every
}

/** Yields each time so many milliseconds have passed, until the signal ends it. */
export type Every = (milliseconds: number, signal: AbortSignal) => AsyncIterable<unknown>

/** Milliseconds that are left of a limit which several waits share; never so few that a wait could not look once. */
export function sharedLimit(limitMs: number): () => number {
  const ends = performance.now() + limitMs
  return () => Math.max(LEAST_MS, Math.ceil(ends - performance.now()))
}

const LEAST_MS = 250
const LONGEST_MS = 86_400_000

/** Throws InvalidRequest for a limit that no timer can keep. */
export function demandLimit(name: string, limitMs: number): void {
  if (limitMs > 0 && limitMs <= LONGEST_MS) return
  throw new PoolwrightError(
    'InvalidRequest',
    `${name} is ${limitMs}; expected milliseconds up to ${LONGEST_MS}.`,
  )
}

/** Runs a step that is cut short by the caller's signal; what it throws then is the typed Cancelled. */
export async function untilCancelled<T>(
  context: PoolContext,
  what: string,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!context.signal.aborted || error instanceof PoolwrightError) throw error
    throw new PoolwrightError('Cancelled', `Given up by the caller while ${what}.`, { cause: error })
  }
}
