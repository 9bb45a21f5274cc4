import type { Matrix } from './matrix.ts'
import { type RunRecord, VERDICTS, type Verdict } from './model.ts'
import type { UnmetRequirement } from './requirements.ts'

export type Counts = Readonly<Record<Verdict, number>>

/** What the command line says at the end of a run and takes its exit code from. */
export interface AcceptanceSummary {
  /** Of all that ran; missing and skipped cells never change it. */
  readonly verdict: 'passed' | 'failed' | 'flaky'
  /** Of the scenarios chosen for this run; one that didn't get its turn is missing. */
  readonly scenarios: Counts
  readonly cells: Counts
  readonly criteria: Counts
  /** Required ids that didn't pass, with what they came to. */
  readonly unmet: readonly UnmetRequirement[]
  /** What failed outside any scenario: hooks of the run, tags nobody knows, feature files that don't parse. */
  readonly problems: readonly string[]
}

interface SummaryInput {
  readonly run: RunRecord
  readonly matrix: Matrix
  readonly interrupted: boolean
  readonly unmet: readonly UnmetRequirement[]
  /** Line numbers of the message file that could not be read. */
  readonly unreadable: readonly number[]
  /** What failed where Cucumber couldn't see it. */
  readonly failures: readonly string[]
}

/** Weighs the whole run in one word, and counts. */
export function summarise(input: SummaryInput): AcceptanceSummary {
  const { run, matrix, interrupted, unmet, unreadable, failures } = input
  const problems = [
    ...failures,
    ...run.failures.map(({ where, message }) => `${where}: ${message}`),
    ...matrix.tagErrors,
    ...(run.finished || interrupted ? [] : ['Cucumber ended without saying that the run was finished']),
    ...(run.finished && unreadable.length > 0
      ? [`unreadable lines of messages: ${unreadable.join(', ')}`]
      : []),
  ]
  const criteria = matrix.families.flatMap((family) => family.criteria)
  const scenarios = count(matrix.scenarios.filter(({ scenario }) => scenario.selected))
  const cells = count(criteria.flatMap((criterion) => criterion.cells))
  const failed = problems.length > 0 || scenarios.failed > 0 || cells.failed > 0
  const verdict = failed ? 'failed' : scenarios.flaky > 0 ? 'flaky' : 'passed'
  return { verdict, scenarios, cells, criteria: count(criteria), unmet, problems }
}

/** How many scenarios came to an end of their own, each once however often it was tried; what is skipped began, too. */
export function ranOf({ scenarios: { passed, flaky, failed } }: AcceptanceSummary): number {
  return passed + flaky + failed
}

function count(judged: readonly { readonly verdict: Verdict }[]): Counts {
  const counts = VERDICTS.map((verdict) => [verdict, judged.filter((one) => one.verdict === verdict).length])
  return Object.fromEntries(counts) as Counts
}
