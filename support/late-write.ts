import type { Action } from './interference/rule.ts'
import { perWorld } from './per-world.ts'

/** The one write of this scenario that gets stuck on its way, and arrives when the scenario says so. */
export const lateWriteOf = perWorld(() => new LateWrite())

class LateWrite {
  readonly #until = Promise.withResolvers<void>()
  readonly #arrived = Promise.withResolvers<number | Error>()
  #isStuck = false

  /** For a rule; `sent` is told when the write is stuck, and the connection breaks when it resolves. */
  action(sent: () => Promise<unknown>): Action {
    const stuck = (): Promise<unknown> => {
      this.#isStuck = true
      return sent()
    }
    return { kind: 'late', sent: stuck, until: this.#until.promise, arrived: this.#arrived.resolve }
  }

  /** Lets it arrive; resolves once the API has answered it, and throws where it did not, or no write got stuck. */
  async arrive(): Promise<void> {
    if (!this.#isStuck) throw new Error('no write was stuck on its way before this step')
    this.#until.resolve()
    const end = await this.#arrived.promise
    if (end instanceof Error) throw end
  }
}
