/** Signals that ask for an end. A closed terminal sends SIGHUP. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * A terminal sends Ctrl-C to the whole foreground group, and npm passes its own copy on: within this many
 * milliseconds the same signal is the same key press.
 */
const SAME_KEY_PRESS_MS = 500

/** The two stages of giving up: first politely, then at once. */
export interface Interruption {
  /** Aborts at the first signal, its name as the reason. */
  readonly asked: AbortSignal
  /** Aborts at the second. */
  readonly insisted: AbortSignal
  /** Gives the signals back to Node. */
  [Symbol.dispose](): void
}

/** Takes over the signals that ask this process to end. */
export function listenForInterruption(now: () => number = Date.now): Interruption {
  const asked = new AbortController()
  const insisted = new AbortController()
  const lastAt = new Map<NodeJS.Signals, number>()
  const take = (signal: NodeJS.Signals) => {
    const repeated = now() - (lastAt.get(signal) ?? Number.NEGATIVE_INFINITY) < SAME_KEY_PRESS_MS
    lastAt.set(signal, now())
    if (repeated) return
    if (asked.signal.aborted) insisted.abort(signal)
    else asked.abort(signal)
  }
  for (const signal of SIGNALS) process.on(signal, take)
  return {
    asked: asked.signal,
    insisted: insisted.signal,
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.off(signal, take)
    },
  }
}
