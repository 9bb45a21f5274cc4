import type { CriterionResult } from '../matrix.ts'
import { type Verdict, verdictWord } from '../model.ts'
import { type Html, html } from './html.ts'

const SIGNS: Readonly<Record<Verdict, string>> = {
  passed: '✓',
  failed: '✕',
  flaky: '↻',
  skipped: '–',
  missing: '○',
  unselected: '·',
}

/** A verdict as sign, word and colour, so that none of the three has to be seen. */
export function verdictMark(verdict: Verdict, word = verdictWord(verdict)): Html {
  return html`<span class="mark ${verdict}"><span aria-hidden="true">${SIGNS[verdict]}</span> ${word}</span>`
}

/** A criterion's mark: a selection that proves a part of it is no gap in the proof. */
export function criterionMark({ verdict, cells }: CriterionResult): Html {
  const part = verdict === 'unselected' && cells.some((cell) => cell.verdict !== 'unselected')
  return verdictMark(verdict, part ? 'in part' : undefined)
}

/** The sign alone, its word left to a screen reader. */
export function verdictSign(verdict: Verdict): Html {
  return html`<span class="sign ${verdict}" role="img" aria-label="${verdictWord(verdict)}">${SIGNS[verdict]}</span>`
}
