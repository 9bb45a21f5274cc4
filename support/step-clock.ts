/**
 * Ends a step's waits when its time is up. Cucumber only stops waiting for such a step: left alone it would go on
 * acting into the next scenario.
 */
export class StepClock {
  readonly #expire: (reason: string) => void
  #extraMs = 0
  #limitMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(expire: (reason: string) => void) {
    this.#expire = expire
  }

  /** Milliseconds from now, and whatever more the scenario has been allowed. */
  start(limitMs: number): void {
    this.stop()
    this.#limitMs = limitMs
    const total = limitMs + this.#extraMs
    this.#timer = setTimeout(() => this.#expire(`the step took longer than ${total} ms`), total)
  }

  /** For what takes longer than a step may on any rung; from now until the end of the scenario. */
  allowMore(milliseconds: number): void {
    this.#extraMs += milliseconds
    this.start(this.#limitMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
