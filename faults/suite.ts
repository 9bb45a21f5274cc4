import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { claimsOf } from '../support/report/cell-tags.ts'
import { readFamilies } from '../support/report/criteria.ts'
import { readMessageStream } from '../support/report/message-stream.ts'
import type { Scenario } from '../support/report/model.ts'
import { readRunRecord } from '../support/report/run-record.ts'
import type { Workspace } from './workspace.ts'

/** A run of a few scenarios takes seconds; one that takes longer than this many milliseconds hangs. */
const RUN_LIMIT_MS = 180_000
/** What the command line may take to clean up after an interruption before it is ended by force, in milliseconds. */
const CLEAN_UP_LIMIT_MS = 40_000

/** One run of the suite inside a workspace: its exit code, its last words and the scenarios that ran. */
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

/** Runs all scenarios of these cells; those of a few others too, since an outline carries its criterion as its tag. */
export function runCells(
  workspace: Workspace,
  rung: string,
  cells: readonly string[],
  parallel: number,
  signal: AbortSignal,
): Promise<SuiteRun> {
  const tags = new Set(cells.flatMap((cell) => [`@${cell}`, `@${cell.split('.')[0]}`]))
  const words = ['--tags', [...tags].join(' or '), '--parallel', String(parallel)]
  return run(workspace, rung, words, signal)
}

/** Runs these scenarios and no others, a single row of an outline if need be. */
export function runScenarios(
  workspace: Workspace,
  rung: string,
  scenarios: readonly ProvingScenario[],
  signal: AbortSignal,
): Promise<SuiteRun> {
  const places = scenarios.map(({ scenario }) => `${scenario.uri}:${scenario.line}`)
  return run(workspace, rung, [...new Set(places)], signal)
}

async function run(
  { directory }: Workspace,
  rung: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<SuiteRun> {
  const messages = join(directory, 'reports', 'messages.ndjson')
  // A run that never begins must not be judged by the one before.
  await rm(messages, { force: true })
  const result = await execa(
    process.execPath,
    [
      join('bin', 'poolwright.ts'),
      'test',
      ...words,
      '--cluster',
      rung,
      '--no-allure',
      '--no-system-packages',
    ],
    {
      cwd: directory,
      cancelSignal: signal,
      timeout: RUN_LIMIT_MS,
      forceKillAfterDelay: CLEAN_UP_LIMIT_MS,
      reject: false,
      all: true,
      stdin: 'ignore',
    },
  )
  signal.throwIfAborted()
  const record = readRunRecord(readMessageStream(messages).envelopes)
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
