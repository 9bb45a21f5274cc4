/** Lets nobody pass before so many different parties have arrived; from then on everybody. */
export class Barrier {
  readonly #parties: number
  readonly #arrived = new Set<string>()
  readonly #open = Promise.withResolvers<void>()

  constructor(parties: number) {
    this.#parties = parties
  }

  /** Resolves once the barrier is open. */
  get opened(): Promise<void> {
    return this.#open.promise
  }

  /** Resolves once the barrier is open; whoever waits for it bounds the wait. */
  arrive(party: string): Promise<void> {
    this.#arrived.add(party)
    if (this.#arrived.size >= this.#parties) this.#open.resolve()
    return this.opened
  }
}
