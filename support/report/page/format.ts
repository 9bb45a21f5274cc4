import { stripVTControlCharacters } from 'node:util'
import type { Verdict } from '../model.ts'

/** `840 ms`, `4.2 s`, `3 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1) return '< 1 ms'
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`
}

/** `30 November 2026, 20:41 UTC`; the text itself where it is no time. */
export function moment(time: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return time
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat('en-GB', options).format(date).replace(' at ', ', ')} UTC`
}

/** `1 cell`, `2 cells`. */
export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`
  return `${count} ${noun.endsWith('criterion') ? noun.replace(/on$/, 'a') : `${noun}s`}`
}

/** `3 of 13 cells passed, 10 not selected in this run`. */
export function cellCounts(cells: readonly { readonly verdict: Verdict }[]): string {
  const count = (verdict: Verdict) => cells.filter((cell) => cell.verdict === verdict).length
  const unselected = count('unselected')
  const left = unselected > 0 ? `, ${unselected} not selected in this run` : ''
  return `${count('passed')} of ${cells.length} cells passed${left}`
}

/** Text as a terminal meant it, without its colours. */
export function plain(text: string): string {
  return stripVTControlCharacters(text)
}

/** The first line; of one that would fill the page, its beginning and its end, where an assertion says what it found. */
export function shortened(text: string, limit = 240): string {
  const line = plain(text).split('\n', 1)[0] ?? ''
  if (line.length <= limit) return line
  const end = Math.floor(limit / 2)
  return `${line.slice(0, limit - end)} … ${line.slice(-end)}`
}
