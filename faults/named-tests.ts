import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { NamedTest } from './fault.ts'

/** A test takes seconds; one that takes longer than this many milliseconds hangs. */
const TEST_LIMIT_MS = 60_000
const REPORTER = fileURLToPath(new URL('test-reporter.ts', import.meta.url))

/** How a test ended. */
export interface TestEnd {
  readonly name: string
  /** `failed` by what the test itself threw; `unfinished` is a test that was skipped, cut off or never begun. */
  readonly outcome: 'passed' | 'failed' | 'unfinished'
  /** The error's name and message, or why it is unfinished. */
  readonly message: string
}

export interface TestRequest {
  /** A copy of the project. */
  readonly directory: string
  readonly compileCache: string
  readonly signal: AbortSignal
  /** Milliseconds for each test. */
  readonly limitMs?: number
}

/** Runs these tests and no others, one file after the other; answers at least one end of each. */
export async function runTests(request: TestRequest, tests: readonly NamedTest[]): Promise<TestEnd[]> {
  const ends: TestEnd[] = []
  for (const file of new Set(tests.map((test) => test.file))) {
    const names = new Set(tests.filter((test) => test.file === file).map(({ name }) => name))
    ends.push(...(await runFile(request, file, names)))
  }
  return ends
}

async function runFile(
  { directory, compileCache, signal, limitMs = TEST_LIMIT_MS }: TestRequest,
  file: string,
  names: ReadonlySet<string>,
): Promise<TestEnd[]> {
  const patterns = [...names].map((name) => `--test-name-pattern=(^| )${RegExp.escape(name)}$`)
  // In one process, so that nothing is lost on the way from the test to the reporter.
  const options = ['--test-isolation=none', `--test-reporter=${REPORTER}`, `--test-timeout=${limitMs}`]
  const { stdout, stderr } = await execa(process.execPath, ['--test', ...options, ...patterns, file], {
    cwd: directory,
    cancelSignal: signal,
    // For what never lets the runner look at its clock.
    timeout: limitMs * (names.size + 1),
    reject: false,
    stdin: 'ignore',
    // Within a test Node's runner would not begin another run.
    env: { NODE_TEST_CONTEXT: undefined, NODE_COMPILE_CACHE: compileCache },
  })
  signal.throwIfAborted()
  const ends = stdout.split('\n').flatMap(parseEnd)
  return [...names].flatMap((name) => {
    const found = ends.filter((end) => end.name === name)
    if (found.length > 0) return found
    const other = ends.find(({ outcome }) => outcome !== 'passed')?.message
    return { name, outcome: 'unfinished', message: other ?? (stderr.trim() || `no such test in ${file}`) }
  })
}

/** What the tests themselves print is between the lines. */
function parseEnd(line: string): TestEnd[] {
  try {
    const { name, outcome, message } = JSON.parse(line)
    return [name, outcome, message].every((text) => typeof text === 'string')
      ? [{ name, outcome, message }]
      : []
  } catch {
    return []
  }
}
