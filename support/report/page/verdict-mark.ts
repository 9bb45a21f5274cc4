import type { Verdict } from '../model.ts'
import { type Html, html } from './html.ts'

const SIGNS: Readonly<Record<Verdict, string>> = {
  passed: '✓',
  failed: '✕',
  flaky: '↻',
  skipped: '–',
  missing: '○',
}

/** A verdict as sign, word and colour, so that none of the three has to be seen. */
export function verdictMark(verdict: Verdict): Html {
  return html`<span class="mark ${verdict}"><span aria-hidden="true">${SIGNS[verdict]}</span> ${verdict}</span>`
}

/** The sign alone, its word left to a screen reader. */
export function verdictSign(verdict: Verdict): Html {
  return html`<span class="sign ${verdict}" role="img" aria-label="${verdict}">${SIGNS[verdict]}</span>`
}
