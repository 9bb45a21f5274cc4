import { join } from 'node:path'
import { execa } from 'execa'
import { claimsOf } from '../support/report/cell-tags.ts'
import { readFamilies } from '../support/report/criteria.ts'
import { readMessageStream } from '../support/report/message-stream.ts'
import type { Scenario } from '../support/report/model.ts'
import { readRunRecord } from '../support/report/run-record.ts'
import type { Workspace } from './workspace.ts'

/** One run of the suite inside a workspace: its exit code, its last words and the scenarios that ran, with their cells. */
export interface SuiteRun {
  readonly exitCode: number | undefined
  readonly output: string
  readonly scenarios: readonly { readonly cells: readonly string[]; readonly scenario: Scenario }[]
}

/** Runs the scenarios of these cells (and of no others, as far as tags can tell) on the rung. */
export async function runCells(
  workspace: Workspace,
  rung: string,
  cells: readonly string[],
  signal: AbortSignal,
): Promise<SuiteRun> {
  const run = await execa(
    process.execPath,
    ['bin/poolwright.ts', 'test', '--cluster', rung, '--tags', tagsFor(cells), '--no-allure'],
    { cwd: workspace.directory, cancelSignal: signal, reject: false, all: true },
  )
  const { envelopes } = readMessageStream(join(workspace.directory, 'reports', 'messages.ndjson'))
  const criteria = new Map(readFamilies().flatMap((family) => family.criteria.map((each) => [each.id, each])))
  const scenarios = readRunRecord(envelopes)
    .scenarios.filter(({ attempts }) => attempts.length > 0)
    .map((scenario) => ({
      scenario,
      cells: claimsOf(scenario, criteria).cells.map(({ criterion, cell }) => `${criterion}.${cell}`),
    }))
  return { exitCode: run.exitCode, output: run.all, scenarios }
}

/** An outline names its cells in a column, so its tag is the criterion alone: ask for both forms. */
function tagsFor(cells: readonly string[]): string {
  return [...new Set(cells.flatMap((cell) => [`@${cell}`, `@${cell.split('.')[0]}`]))].join(' or ')
}
