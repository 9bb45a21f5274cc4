import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../src/contract/errors.ts'

/** A test of Node's runner. */
export interface NamedTest {
  /** From the project's root: `support/safety/taints.test.ts`. */
  readonly file: string
  /** As `it` has it, without those of the suites around it. */
  readonly name: string
}

/** One deliberate defect: a patch of the project's code, and the cell or the test that must turn red by it. */
export interface Fault {
  readonly name: string
  /** What is broken, in one sentence. */
  readonly title: string
  /** The rung on which it must be caught. */
  readonly rung: string
  /** Cells whose scenarios must catch it, `NP-3.interleaved`; any one of them is enough. */
  readonly cells: readonly string[]
  /** Tests that must catch it; any one of them is enough, and so is one of the cells. */
  readonly tests: readonly NamedTest[]
  readonly patch: string
  /** The files that the patch changes. */
  readonly files: readonly string[]
}

/** What the scenarios judge: never the suite, which would then catch itself. */
const PRODUCT = /^(src\/(pool|api)\/|support\/reference-implementation\.ts$)/
/** What keeps clusters as they were: part of the suite, so that tests alone can judge it. */
const SAFEGUARDS = /^(support\/(safety|drain)|bin\/lint)\//
/** Tests, and what only they use. */
const TEST_CODE = /(\.test|\/scripted-[^/]*)\.ts$/

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
  const { cells, tests } = parseCatchers(patch, field('Caught-by'))
  const foreign = files.find((file) => TEST_CODE.test(file) || !(PRODUCT.test(file) || SAFEGUARDS.test(file)))
  if (foreign)
    throw new UsageError(`${patch}: patches ${foreign}, which is no part of the product under test`)
  const guard = files.find((file) => SAFEGUARDS.test(file))
  if (guard && cells.length > 0)
    throw new UsageError(`${patch}: patches ${guard}, which a test must catch: the scenarios run without it`)
  return {
    name: patch.replace(/^.*\//, '').replace(/\.patch$/, ''),
    title: field('Fault'),
    rung: field('Rung'),
    cells,
    tests,
    patch,
    files,
  }
}

/** One of a list: `NP-3.interleaved`, or `test support/safety/taints.test.ts "lose ours alone"`. */
const CATCHER = /\s*(?:test\s+(\S+\.test\.ts)\s+"([^"]+)"|([A-Z][^\s,"]*))\s*(?:,|$)/y

function parseCatchers(patch: string, list: string): Pick<Fault, 'cells' | 'tests'> {
  const cells: string[] = []
  const tests: NamedTest[] = []
  const catcher = new RegExp(CATCHER)
  while (catcher.lastIndex < list.length) {
    const at = catcher.lastIndex
    const [, file, name, cell] = catcher.exec(list) ?? []
    if (cell !== undefined) cells.push(cell)
    else if (file !== undefined && name !== undefined) tests.push({ file, name })
    else
      throw new UsageError(
        `${patch}: expected a cell or \`test FILE "NAME"\` after "Caught-by:", found "${list.slice(at).trim()}"`,
      )
  }
  return { cells, tests }
}
