import { isObject, type Json } from '../exact-json.ts'
import { Mark, type Marked, MarkedText } from './marks.ts'

/**
 * Gives the marks of all answers of a vector their placeholders: by first appearance, but resourceVersions by rank, so that
 * their order is kept.
 */
export class Numbering {
  readonly #numbers = new Map<string, number>()
  readonly #ranks: Map<string, number>

  constructor(answers: readonly Marked[]) {
    const marks = answers.flatMap((answer) => [...marksIn(answer)])
    const versions = new Set(marks.flatMap((mark) => (mark.kind === 'rv' ? [mark.value] : [])))
    this.#ranks = new Map([...versions].sort(byVersion).map((version, index) => [version, index + 1]))
    const counts = new Map<string, number>()
    for (const { kind, value } of marks) {
      if (kind === 'rv' || kind === 'seen-rv' || this.#numbers.has(`${kind} ${value}`)) continue
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      this.#numbers.set(`${kind} ${value}`, counts.get(kind) ?? 0)
    }
  }

  render(value: Marked): Json {
    if (value instanceof Mark) return this.#placeholder(value)
    if (value instanceof MarkedText)
      return value.parts.map((part) => (typeof part === 'string' ? part : this.#placeholder(part))).join('')
    if (Array.isArray(value)) return value.map((item) => this.render(item))
    if (!isObject(value)) return value as Json
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.render(item as Marked)]))
  }

  #placeholder({ kind, value }: Mark): string {
    if (kind !== 'rv' && kind !== 'seen-rv') return `<${kind}:${this.#numbers.get(`${kind} ${value}`)}>`
    const rank = this.#ranks.get(value)
    return rank === undefined ? '<rv>' : `<rv:${rank}>`
  }
}

function* marksIn(value: Marked): Generator<Mark> {
  if (value instanceof Mark) yield value
  else if (value instanceof MarkedText) for (const part of value.parts) yield* marksIn(part)
  else if (Array.isArray(value)) for (const item of value) yield* marksIn(item)
  else if (isObject(value)) for (const item of Object.values(value)) yield* marksIn(item as Marked)
}

function byVersion(one: string, other: string): number {
  if (/^\d+$/.test(one) && /^\d+$/.test(other)) return BigInt(one) < BigInt(other) ? -1 : 1
  return one < other ? -1 : 1
}
