import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { claimsOf } from '../support/report/cell-tags.ts'
import { readFamilies } from '../support/report/criteria.ts'
import { readMessageStream } from '../support/report/message-stream.ts'
import type { Scenario } from '../support/report/model.ts'
import { readRunRecord } from '../support/report/run-record.ts'

/** A run of a few scenarios takes seconds; one that takes longer than this many milliseconds hangs. */
const RUN_LIMIT_MS = 180_000
/** What the command line may take to clean up after an interruption before it is ended by force, in milliseconds. */
const CLEAN_UP_LIMIT_MS = 40_000

/** One run of the suite: its exit code, its last words and the scenarios that ran. */
export interface SuiteRun {
  readonly exitCode: number | undefined
  readonly output: string
  readonly scenarios: readonly ProvingScenario[]
}

export interface ProvingScenario {
  /** The cells that it proves, `NP-3.interleaved`. */
  readonly cells: readonly string[]
  readonly scenario: Scenario
}

/** What the suite is run for, one run in a folder of its own. */
export interface SuiteRequest {
  readonly root: string
  readonly rung: string
  /** Path of the module under test; reports go beside it. */
  readonly implementation: string
  readonly compileCache: string
  readonly parallel?: number
  readonly signal: AbortSignal
}

/** Runs all scenarios of these cells; those of a few others too, since an outline carries its criterion as its tag. */
export function runCells(request: SuiteRequest, cells: readonly string[]): Promise<SuiteRun> {
  const tags = new Set(cells.flatMap((cell) => [`@${cell}`, `@${cell.split('.')[0]}`]))
  return run(request, ['--tags', [...tags].join(' or ')])
}

/** Runs these scenarios and no others, a single row of an outline if need be. */
export function runScenarios(
  request: SuiteRequest,
  scenarios: readonly ProvingScenario[],
): Promise<SuiteRun> {
  const places = scenarios.map(({ scenario }) => `${scenario.uri}:${scenario.line}`)
  return run(request, [...new Set(places)])
}

async function run(
  { root, rung, implementation, compileCache, parallel = 1, signal }: SuiteRequest,
  chosen: readonly string[],
): Promise<SuiteRun> {
  const reports = join(dirname(implementation), 'reports')
  const options = ['--cluster', rung, '--implementation', implementation, '--reports', reports]
  const quick = ['--parallel', String(parallel), '--no-allure', '--no-system-packages']
  const result = await execa(
    process.execPath,
    [join('bin', 'poolwright.ts'), 'test', ...chosen, ...options, ...quick],
    {
      cwd: root,
      cancelSignal: signal,
      timeout: RUN_LIMIT_MS,
      forceKillAfterDelay: CLEAN_UP_LIMIT_MS,
      reject: false,
      all: true,
      stdin: 'ignore',
      // The same modules are loaded for every fault: compiled once, they load in half the time.
      env: { NODE_COMPILE_CACHE: compileCache },
    },
  )
  signal.throwIfAborted()
  const record = readRunRecord(readMessageStream(join(reports, 'messages.ndjson')).envelopes)
  return {
    exitCode: result.exitCode,
    output: result.all,
    scenarios: record.scenarios
      .filter(({ attempts }) => attempts.length > 0)
      .map((scenario) => ({ scenario, cells: cellsOf(scenario) })),
  }
}

function cellsOf(scenario: Scenario): string[] {
  const criteria = new Map(readFamilies().flatMap((family) => family.criteria.map((each) => [each.id, each])))
  return claimsOf(scenario, criteria).cells.map(({ criterion, cell }) => `${criterion}.${cell}`)
}
