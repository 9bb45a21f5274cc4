import type { Acceptance } from '../acceptance.ts'
import type { FamilyResult } from '../matrix.ts'
import type { Verdict } from '../model.ts'
import { cellCounts, counted } from './format.ts'

export interface Headline {
  /** Which colour it wears. */
  readonly tone: Verdict
  readonly title: string
  readonly sentence: string
}

/** The one thing to know. Checks in order; the first that applies is the headline. */
export function headline(acceptance: Acceptance): Headline {
  const { interrupted, summary } = acceptance
  const gaps = gapsOf(acceptance)
  const checks: [boolean, Omit<Headline, 'sentence'>][] = [
    [summary.verdict === 'failed', { tone: 'failed', title: 'Failed' }],
    [interrupted, { tone: 'missing', title: 'Interrupted' }],
    [summary.verdict === 'flaky', { tone: 'flaky', title: 'Flaky' }],
    [gaps.missing > 0, { tone: 'missing', title: 'Incomplete' }],
    [gaps.unselected > 0, { tone: 'unselected', title: 'Selection passed' }],
    [gaps.skipped > 0, { tone: 'skipped', title: 'Passed, with gaps,' }],
  ]
  const found = checks.find(([applies]) => applies)?.[1] ?? { tone: 'passed' as const, title: 'Passed' }
  return { ...found, title: `${found.title} on ${acceptance.context.rung}`, sentence: sentenceOf(acceptance) }
}

/** What families that are already built lack; the others are told apart as not built yet. */
function gapsOf({ matrix }: Acceptance): Readonly<Record<'missing' | 'unselected' | 'skipped', number>> {
  const built = matrix.families.filter((result) => result.family.status !== 'later')
  const cells = built.flatMap((result) => result.criteria).flatMap((criterion) => criterion.cells)
  const count = (verdict: Verdict) => cells.filter((cell) => cell.verdict === verdict).length
  return { missing: count('missing'), unselected: count('unselected'), skipped: count('skipped') }
}

function sentenceOf({ matrix, interrupted, summary }: Acceptance): string {
  const said = matrix.families.map(familySentence)
  const failures = summary.scenarios.failed
  return [
    ...(interrupted ? ['The run was interrupted before its end.'] : []),
    ...(failures > 0 ? [`${counted(failures, 'scenario')} failed.`] : []),
    ...(summary.problems.length > 0
      ? [`${counted(summary.problems.length, 'failure')} outside any scenario.`]
      : []),
    ...said,
  ].join(' ')
}

function familySentence({ family, criteria }: FamilyResult): string {
  const cells = criteria.flatMap((criterion) => criterion.cells)
  const passed = cells.filter((cell) => cell.verdict === 'passed').length
  if (passed === cells.length) return `${family.title}: all ${cells.length} cells passed.`
  if (family.status === 'later' && passed === 0) return `${family.title}: not built yet.`
  return `${family.title}: ${cellCounts(cells)}.`
}
