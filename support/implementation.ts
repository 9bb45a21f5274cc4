import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../src/contract/errors.ts'
import type { Connection, Implementation, PoolUnderTest } from '../src/contract/implementation.ts'
import type { Operation } from './outcomes.ts'

/** Each operation once; the type makes sure that none is forgotten. */
const OPERATIONS: Readonly<Record<Operation, true>> = {
  allocate: true,
  release: true,
  renew: true,
  updateStatus: true,
  add: true,
  remove: true,
  reclaim: true,
  stats: true,
  list: true,
  setByoh: true,
  cleanUpByoh: true,
  readiness: true,
}

export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly Operation[]

const EXPECTED =
  'expected a module whose default export is an Implementation, { name, connect } (src/contract/implementation.ts)'

/** Loads the implementation under test: the default export of the module at this path. Throws a UsageError. */
export async function loadImplementation(path: string): Promise<Implementation> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) throw unusable(path, 'a folder')
  const module = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw unusable(path, `one that can't be loaded: ${firstLine(error)}`)
  })
  const { default: found } = module as { readonly default?: unknown }
  const missing = whatIsMissing(found, module)
  if (missing) throw unusable(path, missing)
  return found as Implementation
}

/** Connects it once, for what only shows then: that every operation is there. Throws a UsageError. */
export async function proveImplementation(
  path: string,
  implementation: Implementation,
  connection: Connection,
): Promise<void> {
  const pool = await implementation.connect(connection).catch((error: unknown) => {
    throw new UsageError(`${path}: connect() failed before any scenario: ${firstLine(error)}`)
  })
  const methods = (pool ?? {}) as Partial<PoolUnderTest>
  const missing = OPERATION_NAMES.filter((name) => typeof methods[name] !== 'function')
  if (missing.length === 0) return
  throw new UsageError(
    `${path}: expected connect() to resolve with a PoolUnderTest (src/contract/implementation.ts), found one without ${missing.join(', ')}`,
  )
}

/** Undefined where it is an implementation. */
function whatIsMissing(found: unknown, module: object): string | undefined {
  if (found === undefined) {
    const others = Object.keys(module).join(', ') || 'nothing'
    return `one without a default export, which exports ${others}`
  }
  if (typeof found !== 'object' || found === null)
    return `a default export that is ${found === null ? 'null' : `a ${typeof found}`}`
  const { name, connect } = found as Partial<Implementation>
  const missing = [
    ...(typeof name === 'string' ? [] : ['name, a text']),
    ...(typeof connect === 'function' ? [] : ['connect, a function']),
  ]
  return missing.length > 0 ? `a default export without ${missing.join(' and ')}` : undefined
}

function unusable(path: string, found: string): UsageError {
  return new UsageError(`${path} is no implementation: ${EXPECTED}, found ${found}`)
}

function firstLine(error: unknown): string {
  return String(error).split('\n', 1)[0] ?? ''
}
