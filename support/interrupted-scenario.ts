import type { World } from '@cucumber/cucumber'
import { runSignal } from './abort.ts'
import { skip } from './skip.ts'

/** Of a step or a hook. */
type Code = (this: never, ...values: never[]) => unknown

const EVEN_WHEN_INTERRUPTED = new WeakSet<Code>()

/** Marks a hook that has its say when the run is interrupted too: what gathers evidence or cleans up. */
export function evenWhenInterrupted<C extends Code>(code: C): C {
  EVEN_WHEN_INTERRUPTED.add(code)
  return code
}

/**
 * For setDefinitionFunctionWrapper: a step or hook that ends after the run was interrupted is skipped with that reason,
 * whatever it made of the abort. What it says then is about the abort, not about the law that it was to try.
 */
export function skipWhenInterrupted(code: Code): Code {
  if (EVEN_WHEN_INTERRUPTED.has(code)) return code
  return async function (this: World, ...values: readonly unknown[]) {
    try {
      const result = runSignal.aborted ? undefined : await Reflect.apply(code, this, values)
      if (!runSignal.aborted) return result
    } catch (error) {
      if (!runSignal.aborted) throw error
    }
    return skip(this, (runSignal.reason as Error).message)
  }
}
