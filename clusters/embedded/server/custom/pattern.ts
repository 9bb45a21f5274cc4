import { createContext, Script } from 'node:vm'
import { notImplemented } from '../status.ts'

/** In milliseconds; an honest match takes a thousandth of what one may. Each of a body's thousands may just be within that. */
const LIMITS = { match: 100, body: 5_000 }
/** How often a match is tried again that was stopped though it hardly ran: a busy machine is no sign of a bad pattern. */
const ATTEMPTS = 5

/** Spent since whoever validates has last let others run: a body is validated in one go. */
let spent = 0

/**
 * Whether a value matches a definition's pattern. Kubernetes matches in linear time, JavaScript may backtrack for ever: what
 * takes too long is refused, since one process serves everybody. Throws ApiError 501.
 */
export function matches(pattern: string, value: string, path: string, limits = LIMITS): boolean {
  Object.assign(scope, { pattern: new RegExp(pattern, 'u'), value })
  for (let attempt = 1; spent < limits.body; attempt++) {
    if (spent === 0) setImmediate(() => (spent = 0))
    const before = process.threadCpuUsage()
    try {
      return script.runInContext(scope, { timeout: limits.match }) === true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      if (attempt === ATTEMPTS || milliseconds(before) > limits.match / 2)
        throw tooSlow(pattern, path, limits)
    } finally {
      spent += milliseconds(before)
    }
  }
  throw tooSlow(pattern, path, limits)
}

function milliseconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

function tooSlow(pattern: string, path: string, { match, body }: typeof LIMITS): Error {
  return notImplemented(
    { verb: 'validation', resource: 'custom resources', field: path },
    `the pattern ${pattern} takes this server more than ${match} ms for a value or ${body} ms for all of them`,
  )
}

const scope = createContext(Object.create(null))
const script = new Script('pattern.test(value)')
