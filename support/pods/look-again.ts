import { WaitLimitError } from '../../src/kube/wait-for.ts'

export interface LookAgainWait<R> {
  /** What is waited for, in words. */
  readonly for: string
  /** The wait ends with the first answer that is neither undefined, null nor false. */
  readonly until: () => R | undefined | null | false
  /** Milliseconds. */
  readonly limitMs: number
  readonly signal: AbortSignal
  /** The state, in words, when the wait fails. */
  readonly show: () => string
}

/** For what arrives piece by piece: whoever waits for something looks again at each piece. */
export class LookAgain {
  readonly #looking = new Set<() => void>()

  /** There is something new. */
  tell(): void {
    for (const look of this.#looking) look()
  }

  /** Throws WaitLimitError at the limit, the signal's reason on abort, and what `until` throws. */
  async until<R>(wait: LookAgainWait<R>): Promise<R> {
    const limit = AbortSignal.timeout(wait.limitMs)
    const ended = AbortSignal.any([wait.signal, limit])
    const { promise, resolve, reject } = Promise.withResolvers<R>()
    const look = (): void => {
      try {
        const answer = wait.until()
        if (answer !== undefined && answer !== null && answer !== false) resolve(answer)
      } catch (error) {
        reject(error)
      }
    }
    const giveUp = (): void => {
      const late = new WaitLimitError(wait.for, wait.limitMs, wait.show())
      reject(wait.signal.aborted ? wait.signal.reason : late)
    }
    this.#looking.add(look)
    ended.addEventListener('abort', giveUp, { once: true })
    try {
      look()
      if (ended.aborted) giveUp()
      return await promise
    } finally {
      this.#looking.delete(look)
      ended.removeEventListener('abort', giveUp)
    }
  }
}
