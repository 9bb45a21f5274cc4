import { expect } from 'chai'
import type { Outcome, PoolUnderTest } from '../src/contract/implementation.ts'

export type Operation = keyof PoolUnderTest
export type RequestOf<Op extends Operation> = Parameters<PoolUnderTest[Op]>[0]
export type OutcomeOf<Op extends Operation> = Awaited<ReturnType<PoolUnderTest[Op]>>

/** One operation that a scenario asked for, and how it ended. */
export interface Performed<Op extends Operation = Operation> {
  readonly operation: Op
  readonly request: RequestOf<Op>
  readonly outcome: OutcomeOf<Op>
  /** Whose request it was: the implementation in this process, or a named process of it. */
  readonly client: string
  /** Milliseconds since 1970 when it was asked for, and milliseconds it took. */
  readonly startedAt: number
  readonly tookMs: number
  /** What the journal of the wire held before it began; what this operation sent comes after. */
  readonly journalMark: number
}

/** Everything a scenario asked of the implementation; an error that no step spoke about fails the scenario. */
export class Outcomes {
  readonly all: Performed[] = []
  readonly #asserted = new Set<Outcome>()

  record(performed: Performed): void {
    this.all.push(performed)
  }

  /** The last operation, or the last of this kind; throws where there was none. */
  last<Op extends Operation = Operation>(operation?: Op): Performed<Op> {
    const found = this.all.findLast(
      (performed) => operation === undefined || performed.operation === operation,
    )
    if (!found) throw new Error(`no ${operation ?? 'operation'} was asked for before this step`)
    return found as Performed<Op>
  }

  /** The outcome of the last operation of this kind, which must have ended without an error. */
  lastSucceeded<Op extends Operation>(operation: Op): OutcomeOf<Op> {
    const { outcome } = this.last(operation)
    this.markAsserted(outcome)
    demandSuccess(outcome, operation)
    return outcome
  }

  /** A step has judged this outcome, so its error is expected or already reported. */
  markAsserted(outcome: Outcome): void {
    this.#asserted.add(outcome)
  }

  /** Errors that no step judged. */
  unasserted(): Performed[] {
    return this.all.filter(({ outcome }) => outcome.error && !this.#asserted.has(outcome))
  }
}

/** Fails with the error's own words unless the operation succeeded. */
export function demandSuccess({ error }: Pick<Outcome, 'error'>, what: string): void {
  // Chai shows no more than the shape of an object.
  expect(error && `${error.code}: ${error.message}`, `${what}: its error`).to.equal(undefined)
}
