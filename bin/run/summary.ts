import { relative } from 'node:path'
import type { Reports } from '../../support/report/reports.ts'
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
const ORDER = ['passed', 'failed', 'flaky', 'skipped', 'missing'] as const

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
    terminal.line(`Required: ${id} is ${verdict}${reason ? ` (${reason})` : ''}`)
  }
  for (const note of notes) terminal.line(note)
  const interrupted = run.interrupted ? 'Interrupted. ' : ''
  const where = `${run.context.rung} ${run.context.version}`
  const time = `${run.seconds.toFixed(1)} s`
  terminal.line(`${interrupted}Scenarios on ${where}: ${describeCounts(summary.scenarios)} (${time})`)
  terminal.line(`Criteria: ${describeCounts(summary.criteria)}`)
  for (const page of pages) terminal.line(`Report: ${relative(process.cwd(), page)}`)
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
function describeCounts(counts: Readonly<Record<(typeof ORDER)[number], number>>): string {
  return ORDER.filter((verdict) => counts[verdict] > 0 || verdict === 'passed')
    .map((verdict) => `${counts[verdict]} ${verdict}`)
    .join(', ')
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line ? `  ${line}` : line))
    .join('\n')
}
