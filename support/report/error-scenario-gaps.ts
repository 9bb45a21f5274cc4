import { ERROR_KINDS } from '../../src/contract/error-codes.ts'
import type { ErrorScenarioGaps, ProducedError } from './computed-criteria.ts'

/** Holds the documented errors against those a run produced, each way. */
export function errorScenarioGaps(produced: readonly ProducedError[]): ErrorScenarioGaps {
  const codes = new Set(produced.map((error) => error.code))
  const documented = Object.keys(ERROR_KINDS)
  return {
    undocumented: [...codes].filter((code) => !documented.includes(code)),
    unproduced: documented.filter((code) => !codes.has(code)),
  }
}
