import type { PoolUnderTest } from '../src/contract/implementation.ts'
import type { Operation, OutcomeOf, RequestOf } from './outcomes.ts'

/** Somebody who carries out operations: the implementation in this process, or in one of its own. */
export interface Performer {
  /** As the journal shows it. */
  readonly name: string
  perform<Op extends Operation>(operation: Op, request: RequestOf<Op>): Promise<OutcomeOf<Op>>
}

/** Carries out operations on a pool connected in this process. */
export function performOn(name: string, pool: PoolUnderTest): Performer {
  return { name, perform: (operation, request) => invoke(pool, operation, request) }
}

/** Calls an operation by name; the one place where its name and its types meet. */
export function invoke<Op extends Operation>(
  pool: PoolUnderTest,
  operation: Op,
  request: RequestOf<Op>,
): Promise<OutcomeOf<Op>> {
  const method = pool[operation] as (request: RequestOf<Op>) => Promise<OutcomeOf<Op>>
  return method.call(pool, request)
}
