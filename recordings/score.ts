import type { Failure } from './compare/judge.ts'
import type { Outcome } from './replay/replay.ts'

/** What reports/vectors.json holds for one category. */
export interface Score {
  passed: number
  /** All vectors of the category, those for later included. */
  total: number
  readonly failures: Failure[]
  /** Not for this storey, with the reason, and whether it passes already. */
  readonly later: { name: string; reason: string; replayed: boolean; passed: boolean }[]
}

export type Scores = Record<string, Record<string, Score>>

/** Counts outcomes by family and category. Failures of what is for later are not listed: nobody promised them. */
export function scoresOf(outcomes: readonly Outcome[]): Scores {
  const scores: Scores = {}
  for (const { family, category, vector, later, failures } of outcomes) {
    scores[family] ??= {}
    const score = scores[family][category] ?? { passed: 0, total: 0, failures: [], later: [] }
    scores[family][category] = score
    const passed = failures !== undefined && failures.length === 0
    score.total += 1
    if (passed) score.passed += 1
    if (later === undefined) score.failures.push(...(failures ?? []))
    else score.later.push({ name: vector.name, reason: later, replayed: failures !== undefined, passed })
  }
  return scores
}

/** One line a category, then one a family; `later` counts what is neither passed nor promised yet. */
export function scoreLines(scores: Scores): string[] {
  const lines: string[] = []
  for (const [family, categories] of Object.entries(scores)) {
    for (const [category, score] of Object.entries(categories))
      lines.push(line(`${family}/${category}`, [score]))
    lines.push(line(family, Object.values(categories)))
  }
  return lines
}

function line(title: string, scores: readonly Score[]): string {
  const sum = (count: (score: Score) => number): number =>
    scores.reduce((total, score) => total + count(score), 0)
  const failed = sum((score) => new Set(score.failures.map(({ name }) => name)).size)
  const later = sum((score) => score.later.filter(({ passed }) => !passed).length)
  const passed = `${sum((score) => score.passed)}/${sum((score) => score.total)}`
  return `${title.padEnd(28)} ${passed.padStart(8)} passed${failed ? `, ${failed} failed` : ''}${later ? `, ${later} later` : ''}`
}
