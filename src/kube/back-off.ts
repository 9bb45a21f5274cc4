import { setTimeout as sleep } from 'node:timers/promises'

/** How long to wait before trying again: at once the first time, then doubling with full jitter up to a cap. */
export class BackOff {
  readonly #baseMs: number
  readonly #maxMs: number
  #failures = 0

  constructor(baseMs: number, maxMs: number) {
    this.#baseMs = baseMs
    this.#maxMs = maxMs
  }

  /** Something came: the next failure is a first one again. */
  reset(): void {
    this.#failures = 0
  }

  /** Milliseconds to wait now. */
  next(): number {
    const failures = this.#failures++
    if (failures === 0) return 0
    const ceiling = Math.min(this.#maxMs, this.#baseMs * 2 ** Math.min(failures - 1, 30))
    // Never less than half: a server that fails at once must not be hammered.
    return Math.round(ceiling * (0.5 + Math.random() / 2))
  }

  /** Ends early, without an error, when the signal aborts. */
  async wait(delayMs: number, signal: AbortSignal): Promise<void> {
    if (delayMs > 0) await sleep(delayMs, undefined, { signal }).catch(() => {})
  }
}
