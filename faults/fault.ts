import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../src/contract/errors.ts'

/** One deliberate defect: a patch of the product's code, and the cell whose scenario must turn red by it. */
export interface Fault {
  readonly name: string
  /** What is broken, in one sentence. */
  readonly title: string
  /** The rung on which it must be caught. */
  readonly rung: string
  /** Cells whose scenarios must catch it, `NP-3.interleaved`; any one of them is enough. */
  readonly cells: readonly string[]
  readonly patch: string
  /** The files that the patch changes. */
  readonly files: readonly string[]
}

/** What may be broken: never the suite, which would then catch itself. */
const PRODUCT = /^(src\/(pool|api)\/(?!.*\.test\.ts$)|support\/reference-implementation\.ts$)/

/** All entries, by name: each is one `.patch` file with its facts in the lines above the diff. */
export function readFaults(directory: string): Fault[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.patch'))
    .sort()
    .map((file) => parseFault(join(directory, file), readFileSync(join(directory, file), 'utf8')))
}

/** Reads `Fault:`, `Rung:` and `Caught-by:` above the diff, and the changed files from the diff itself. */
export function parseFault(patch: string, text: string): Fault {
  const header = text.slice(0, Math.max(0, text.search(/^--- /m)))
  const field = (name: string): string => {
    const value = new RegExp(`^${name}: *(.+)$`, 'm').exec(header)?.[1]?.trim()
    if (!value) throw new UsageError(`${patch}: expected a line "${name}: …" above the diff, found none`)
    return value
  }
  const files = [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map((match) => String(match[1]).trim())
  if (files.length === 0) throw new UsageError(`${patch}: expected a diff with "+++ b/FILE", found none`)
  const foreign = files.find((file) => !PRODUCT.test(file))
  if (foreign)
    throw new UsageError(`${patch}: patches ${foreign}, which is no part of the product under test`)
  return {
    name: patch.replace(/^.*\//, '').replace(/\.patch$/, ''),
    title: field('Fault'),
    rung: field('Rung'),
    cells: field('Caught-by').split(/[ ,]+/),
    patch,
    files,
  }
}
