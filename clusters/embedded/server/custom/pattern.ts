import { createContext, Script } from 'node:vm'
import { notImplemented } from '../status.ts'

/** Milliseconds; an honest pattern takes a thousandth of that. */
const LONGEST_MATCH_MS = 100

/**
 * Whether a value matches a definition's pattern. Kubernetes matches in linear time, JavaScript may backtrack for ever: what
 * takes too long is refused, since one process serves everybody. Throws ApiError 501.
 */
export function matches(pattern: string, value: string, path: string): boolean {
  Object.assign(scope, { pattern: new RegExp(pattern, 'u'), value })
  try {
    return match.runInContext(scope, { timeout: LONGEST_MATCH_MS }) === true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw notImplemented(
      { verb: 'validation', resource: 'custom resources', field: path },
      `the pattern ${pattern} takes this server more than ${LONGEST_MATCH_MS} ms for the value given`,
    )
  }
}

const scope = createContext(Object.create(null))
const match = new Script('pattern.test(value)')
