import { pathToFileURL } from 'node:url'
import type { Implementation } from '../src/contract/implementation.ts'

/** Loads the implementation under test: the default export of the module at this path. */
export async function loadImplementation(path: string): Promise<Implementation> {
  const module = (await import(pathToFileURL(path).href)) as { default?: unknown }
  if (isImplementation(module.default)) return module.default
  throw new Error(`${path} has no implementation as its default export: { name, connect }`)
}

function isImplementation(candidate: unknown): candidate is Implementation {
  const { name, connect } = (candidate ?? {}) as Partial<Implementation>
  return typeof name === 'string' && typeof connect === 'function'
}
