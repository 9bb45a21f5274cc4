import { isObject, type Json, LosslessNumber } from '../exact-json.ts'

/** A copy of a recorded answer in which exactly one value is another, or is gone. */
export interface Change {
  readonly path: readonly (string | number)[]
  /** What kind of value it was: `uid`, `rv`, `time`, `string`, `number`, …, or `absent` for one taken out. */
  readonly kind: string
  readonly changed: Json
}

/** Every such copy, one for each leaf and one for each member taken out; the same ones each time. */
export function* changesOf(value: Json, path: readonly (string | number)[] = []): Generator<Change> {
  const entries = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : []
  if (entries.length === 0) {
    yield* otherValues(value).map(([kind, changed]) => ({ path, kind, changed }))
    return
  }
  for (const [key, item] of entries) {
    const here = [...path, key]
    yield { path: here, kind: 'absent', changed: without(value, key) }
    for (const inner of changesOf(item, here))
      yield { ...inner, changed: replaced(value, key, inner.changed) }
  }
}

function otherValues(value: Json): [kind: string, changed: Json][] {
  if (value === null) return [['null', 'x']]
  if (typeof value === 'boolean') return [['boolean', !value]]
  if (value instanceof LosslessNumber)
    return [
      ['number', new LosslessNumber(`1${value.value.replace('-', '')}`)],
      ['type', value.value],
    ]
  if (Array.isArray(value)) return [['empty', ['x']]]
  if (isObject(value)) return [['empty', { x: 'x' }]]
  return otherTexts(value)
}

const PLACEHOLDER =
  /<(uid|rv|clusterIP|nodePort|podIP|hash)(?::(\d+))?>|<(listrv|continue|token|time|age|suffix|server)>/

function otherTexts(text: string): [kind: string, changed: Json][] {
  const changes: [string, Json][] = [['string', `x${text}`]]
  if (text !== '') changes.push(['emptied', ''])
  const match = PLACEHOLDER.exec(text)
  if (!match) return changes
  const [whole, numbered, number, plain] = match
  const other = number === undefined ? `<other-${numbered ?? plain}>` : `<${numbered}:${Number(number) + 1}>`
  return [...changes, [numbered ?? plain ?? '', text.replace(whole, other)]]
}

function without(value: Json, key: string | number): Json {
  if (Array.isArray(value)) return value.filter((_, index) => index !== key)
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => name !== key))
}

function replaced(value: Json, key: string | number, item: Json): Json {
  if (Array.isArray(value)) return value.map((old, index) => (index === key ? item : old))
  return { ...(value as object), [key]: item } as Json
}
