import { setTimeout } from 'node:timers/promises'

/** Waits, at most so many milliseconds; throws the signal's reason when it ends the wait. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  try {
    await setTimeout(milliseconds, undefined, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
