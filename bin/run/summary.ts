import { relative } from 'node:path'
import type { Verdict } from '../../support/report/model.ts'
import type { Reports } from '../../support/report/reports.ts'
import type { AcceptanceSummary, Counts } from '../../support/report/summary.ts'
import type { RunContext } from '../../support/run-context.ts'
import type { ScenarioFinished } from '../../support/run-events.ts'
import type { Results } from './results.ts'
import type { Terminal } from './terminal.ts'

export interface RunSummary {
  readonly context: RunContext
  readonly results: Results
  readonly reports: Reports
  readonly seconds: number
  readonly interrupted: boolean
}

/** Counts in the order a person reads them. */
const ORDER = ['passed', 'failed', 'flaky', 'skipped', 'missing', 'unselected'] as const

type Words = Partial<Record<Verdict, string>>

/** The end of a run's output: each failure with its place, then what ran, how it went and where the reports are. */
export function printSummary(terminal: Terminal, run: RunSummary): void {
  const { summary, pages, notes } = run.reports
  for (const problem of summary.problems) printBlock(terminal, 'The run itself failed', problem)
  run.results.failed.forEach((scenario, index) => {
    printFailure(terminal, index + 1, scenario)
  })
  terminal.line('')
  for (const { scenario } of run.results.flaky) {
    terminal.line(
      `Flaky: ${scenario.name} (${scenario.location}) passed only at attempt ${scenario.attempt + 1}`,
    )
  }
  for (const { id, verdict, reason } of summary.unmet) {
    const what = verdict === 'unselected' ? SELECTION : `${verdict}${reason ? ` (${reason})` : ''}`
    terminal.line(`Required: ${id} is ${what}`)
  }
  for (const note of notes) terminal.line(note)
  const interrupted = run.interrupted ? 'Interrupted. ' : ''
  const where = `${run.context.rung} ${run.context.version}`
  const time = `${run.seconds.toFixed(1)} s`
  terminal.line(`${interrupted}Scenarios on ${where}: ${describeCounts(summary.scenarios)} (${time})`)
  for (const line of acceptanceLines(summary)) terminal.line(line)
  for (const page of pages) terminal.line(`Report: ${relative(process.cwd(), page)}`)
}

const SELECTION = 'not selected in this run'

/** How far the acceptance list is proven. Of a selection that is told by its cells, since few criteria have them all. */
function acceptanceLines({ scenarios, cells, criteria }: AcceptanceSummary): string[] {
  // Whatever was selected and did not get its turn is missing too.
  const why = scenarios.missing > 0 ? 'no scenario yet, or the run ended before it' : 'no scenario yet'
  const missing = `missing (${why})`
  if (cells.unselected === 0) return [`Criteria: ${describeCounts(criteria, { missing })}`]
  return [
    `Cells: ${describeCounts(cells, { missing, unselected: SELECTION })}`,
    `Criteria: ${describeCounts(criteria, { unselected: 'not selected in full' })}`,
  ]
}

function printFailure(terminal: Terminal, number: number, { scenario, failure }: ScenarioFinished): void {
  const title = `${number}) ${scenario.name} (${scenario.location})`
  const body = failure && `${failure.step} (${failure.location})\n${indent(failure.message)}`
  printBlock(terminal, title, body ?? 'no step says why')
}

function printBlock(terminal: Terminal, title: string, body: string): void {
  terminal.line('')
  terminal.line(terminal.style('red', title))
  terminal.line(indent(body))
}

/** `11 passed, 1 failed`: what is zero is left out, except the passes. */
function describeCounts(counts: Counts, words: Words = {}): string {
  return ORDER.filter((verdict) => counts[verdict] > 0 || verdict === 'passed')
    .map((verdict) => `${counts[verdict]} ${words[verdict] ?? verdict}`)
    .join(', ')
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line ? `  ${line}` : line))
    .join('\n')
}
