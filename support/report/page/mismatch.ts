import type { Scenario } from '../model.ts'
import { diffView } from './diff.ts'
import { plain } from './format.ts'
import { type Html, html } from './html.ts'

/** As much as a reader takes in beside other failures; the evidence has all of it. */
const MOST_LINES = 16
const LONGEST_LINE = 200

/** How an assertion announces the difference that follows. */
const LEGEND = /^\+ expected - actual\n*/
/** Where the assertion, or the page, has left something out of a line. */
const ABRIDGED = /…/
const STACK_LINE = /^\s+at .+:\d+:\d+\)?$/

/** What the failed step said between its first line and its stack: expected against actual, or what was seen last. */
export function mismatchText({ attempts }: Scenario): string {
  const steps = attempts.findLast((attempt) => attempt.steps.some(hasFailed))?.steps ?? []
  const lines = plain(steps.find(hasFailed)?.message ?? '')
    .split('\n')
    .slice(1)
  const stack = lines.findIndex((line) => STACK_LINE.test(line))
  return withoutMargin(stack < 0 ? lines : lines.slice(0, stack))
}

/** Undefined where the first line, which stands above it, said it all. */
export function mismatchView(text: string, firstLine: string): Html | undefined {
  if (text === '') return undefined
  if (LEGEND.test(text) && / expected /.test(firstLine) && !ABRIDGED.test(firstLine)) return undefined
  if (!LEGEND.test(text)) return html`<pre>${cut(text)}</pre>`
  return diffView(`--- found, +++ expected\n${cut(text.replace(LEGEND, ''))}`)
}

function hasFailed({ status }: { readonly status: string }): boolean {
  return status === 'failed'
}

/** Without the indentation that all lines share, and without empty lines around them. */
function withoutMargin(lines: readonly string[]): string {
  const margins = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
  const margin = Math.min(...margins, 80)
  return lines
    .map((line) => line.slice(margin))
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd()
}

function cut(text: string): string {
  const lines = text.split('\n')
  const shown = lines
    .slice(0, MOST_LINES)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line))
  const more = lines.length - shown.length
  return [...shown, ...(more > 0 ? [`… ${more} more lines, in the evidence`] : [])].join('\n')
}
