import type { ComputedRule, Criterion, Family } from './criteria.ts'
import { ERROR_MEDIA_TYPE } from './media-types.ts'
import { type RunRecord, VERDICTS, verdictWord } from './model.ts'
import { type Judgement, worst } from './verdicts.ts'

/** An error that the implementation answered with, as the suite attached it. */
export interface ProducedError {
  readonly code: string
  readonly message: string
}

/** How the page of error scenarios and the run differ, each way; both empty when they agree. */
export interface ErrorScenarioGaps {
  readonly undocumented: readonly string[]
  readonly unproduced: readonly string[]
}

/** What a rule may look at: every judgement so far, cell by cell (`NP-2.release`). */
export interface ComputedInput {
  readonly families: readonly Family[]
  readonly judged: ReadonlyMap<string, Judgement>
  readonly errorGaps: ErrorScenarioGaps
}

/** Rules in the order they are worked out: NP-1 looks at what the others came to. */
export const COMPUTED_RULES: readonly [ComputedRule, (input: ComputedInput) => Judgement][] = [
  ['all-edge', (input) => all(input, ['EDGE'], 'all-edge')],
  ['error-scenarios', errorScenarios],
  ['bindings', () => ({ verdict: 'missing', reason: 'no watch of bindings exists yet' })],
  ['all-np-and-edge', (input) => all(input, ['NP', 'EDGE'], 'all-np-and-edge')],
]

function all({ families, judged }: ComputedInput, ids: readonly string[], rule: ComputedRule): Judgement {
  const cells = families
    .filter((family) => ids.includes(family.id))
    .flatMap((family) => family.criteria)
    .filter((criterion) => criterion.computed !== rule)
    .flatMap((criterion) => criterion.cells.map((cell) => `${criterion.id}.${cell}`))
  const judgements = cells.map((cell) => judged.get(cell) ?? { verdict: 'missing' as const })
  const { verdict } = worst(judgements, 'no cell was judged')
  const counts = VERDICTS.map(
    (each) => [each, judgements.filter((one) => one.verdict === each).length] as const,
  )
  const others = counts.filter(([each, count]) => each !== 'passed' && count > 0)
  const passed = counts.find(([each]) => each === 'passed')?.[1] ?? 0
  const said = [
    `${passed} of ${cells.length} cells passed`,
    ...others.map(([each, n]) => `${n} ${verdictWord(each)}`),
  ]
  return { verdict, reason: said.join(', ') }
}

function errorScenarios({ judged, errorGaps: { undocumented, unproduced } }: ComputedInput): Judgement {
  if (undocumented.length > 0) {
    return { verdict: 'failed', reason: `produced, but not documented: ${undocumented.join(', ')}` }
  }
  if (unproduced.length === 0) return { verdict: 'passed' }
  const selection = [...judged.values()].some(({ verdict }) => verdict === 'unselected')
  const reason = `documented, but not produced in this run: ${unproduced.join(', ')}`
  return { verdict: selection ? 'unselected' : 'missing', reason }
}

/** Every error the run's scenarios attached; what does not read as one is left to the page to show. */
export function producedErrors(run: RunRecord): ProducedError[] {
  return run.scenarios
    .flatMap((scenario) => scenario.attempts)
    .flatMap((attempt) => attempt.steps)
    .flatMap((step) => step.attachments)
    .filter((attachment) => attachment.mediaType === ERROR_MEDIA_TYPE)
    .flatMap((attachment) => parseErrors(attachment.body))
}

function parseErrors(body: string): ProducedError[] {
  try {
    const value: unknown = JSON.parse(body)
    return (Array.isArray(value) ? value : [value]).filter(isProducedError)
  } catch {
    return []
  }
}

function isProducedError(value: unknown): value is ProducedError {
  if (typeof value !== 'object' || value === null) return false
  const { code, message } = value as Partial<ProducedError>
  return typeof code === 'string' && typeof message === 'string'
}

/** The criterion a rule belongs to: each rule has exactly one. */
export function criterionOfRule(families: readonly Family[], rule: ComputedRule): Criterion | undefined {
  return families.flatMap((family) => family.criteria).find((criterion) => criterion.computed === rule)
}
