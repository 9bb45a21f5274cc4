import { isObject, type Json, type JsonObject, LosslessNumber } from '../exact-json.ts'

/**
 * A value that differs from run to run, found in an answer and not yet numbered. `seen-rv` is a version in a message:
 * numbered only where an object of the vector had it.
 */
export class Mark {
  readonly kind: 'uid' | 'rv' | 'seen-rv' | 'clusterIP' | 'nodePort'
  readonly value: string

  constructor(kind: Mark['kind'], value: string) {
    this.kind = kind
    this.value = value
  }
}

/** A text with marks in it. */
export class MarkedText {
  readonly parts: readonly (string | Mark)[]

  constructor(parts: readonly (string | Mark)[]) {
    this.parts = parts
  }
}

export type Marked =
  | null
  | boolean
  | string
  | LosslessNumber
  | Mark
  | MarkedText
  | Marked[]
  | { [key: string]: Marked }

/** What a vector's own steps spell out, and is therefore kept as it is. */
export interface Literals {
  has(text: string): boolean
  /** The generateName values sent. */
  readonly generateNames: readonly string[]
}

/** Finds in an answer what differs from run to run; what needs no number is replaced at once. */
export function markUp(value: Json, literals: Literals): Marked {
  return markValue(value, [], literals)
}

type Trail = readonly (string | JsonObject)[]

function markValue(value: Json, trail: Trail, literals: Literals): Marked {
  if (Array.isArray(value)) return value.map((item) => markValue(item, trail, literals))
  if (isObject(value)) return markObject(value, trail, literals)
  const key = lastKey(trail)
  if (value instanceof LosslessNumber) {
    const allocated = key === 'nodePort' || key === 'healthCheckNodePort'
    return allocated && !literals.has(value.value) ? new Mark('nodePort', value.value) : value
  }
  return typeof value === 'string' ? markString(value, key, trail, literals) : value
}

function markObject(object: JsonObject, trail: Trail, literals: Literals): Marked {
  const marked: Record<string, Marked> = {}
  for (const [key, value] of Object.entries(object))
    if (!isDropped(key, trail)) marked[key] = markValue(value, [...trail, object, key], literals)
  return object.kind === 'Table' ? withoutAges(object, marked) : marked
}

function isDropped(key: string, trail: Trail): boolean {
  if (key === 'managedFields' || key === 'endpoints.kubernetes.io/last-change-trigger-time') return true
  const owner = trail.at(-2)
  return key === 'generation' && isObject(owner) && owner.kind === 'EndpointSlice'
}

function withoutAges(table: JsonObject, marked: Record<string, Marked>): Record<string, Marked> {
  const columns = Array.isArray(table.columnDefinitions) ? table.columnDefinitions : []
  const ages = columns.flatMap((column, index) => (isObject(column) && column.name === 'Age' ? [index] : []))
  const { rows } = marked
  if (Array.isArray(rows))
    for (const row of rows) {
      const cells = (row as { cells?: Marked } | null)?.cells
      if (Array.isArray(cells)) for (const age of ages) if (isAge(cells[age])) cells[age] = '<age>'
    }
  return marked
}

function isAge(cell: Marked | undefined): boolean {
  return typeof cell === 'string' && /^(\d+[smhdy])+$/.test(cell)
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/
/** The letters and digits of a generated suffix. */
const SUFFIX = '[bcdfghjklmnpqrstvwxz2456789]{5}(?![\\w-])'

function markString(text: string, key: string, trail: Trail, literals: Literals): Marked {
  if (key === 'resourceVersion' && text !== '' && keyBefore(trail) === 'metadata')
    return isOfList(trail) ? '<listrv>' : new Mark('rv', text)
  if (key === 'continue' && text !== '' && keyBefore(trail) === 'metadata') return '<continue>'
  if (key === 'serverAddress') return '<server>'
  if (key === 'token' && JWT.test(text) && !literals.has(text)) return '<token>'
  if (/^clusterIPs?$/.test(key) && /^[\d.]+$/.test(text) && !literals.has(text))
    return new Mark('clusterIP', text)
  return withMarksInside(withoutSuffixes(text.replace(TIME, '<time>'), literals), literals)
}

function isOfList(trail: Trail): boolean {
  const owner = trail.at(-4)
  if (!isObject(owner)) return false
  const event = trail.at(-6)
  if (trail.at(-5) === 'object' && isObject(event) && event.type === 'BOOKMARK') return true
  return Array.isArray(owner.items) || /(List|^Table|^Status)$/.test(String(owner.kind))
}

function withoutSuffixes(text: string, literals: Literals): string {
  let changed = text
  for (const prefix of [...literals.generateNames, 'kube-api-access-'])
    changed = changed.replace(new RegExp(RegExp.escape(prefix) + SUFFIX, 'g'), (whole) =>
      literals.has(whole) ? whole : `${prefix}<suffix>`,
    )
  return changed
}

/** What may stand inside a longer text, each with the group that is the value. */
const INSIDE: readonly { readonly pattern: RegExp; readonly kind: Mark['kind'] | 'any' }[] = [
  { pattern: new RegExp(`(?<![\\w-])()(${UUID})(?![\\w-])`, 'g'), kind: 'uid' },
  { pattern: /("resourceVersion\\*":\\*")(\d+)(?=\\*")/g, kind: 'rv' },
  { pattern: /(too old resource version: )(\d+ \(\d+\))/g, kind: 'any' },
  { pattern: /(Too large resource version: )(\d+, current: \d+)/g, kind: 'any' },
  { pattern: /(the ResourceVersion in (?:the precondition|record) \()(\d+)(?=\))/g, kind: 'seen-rv' },
]

function withMarksInside(text: string, literals: Literals): Marked {
  let parts: (string | Mark)[] = [text]
  for (const { pattern, kind } of INSIDE)
    parts = parts.flatMap((part) =>
      typeof part === 'string' ? split(part, pattern, kind, literals) : [part],
    )
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  return parts.every((part) => typeof part === 'string') ? parts.join('') : new MarkedText(parts)
}

function split(
  text: string,
  pattern: RegExp,
  kind: Mark['kind'] | 'any',
  literals: Literals,
): (string | Mark)[] {
  const parts: (string | Mark)[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const [whole, before = '', value = ''] = match
    const kept = kind === 'uid' && literals.has(value)
    const mark = kept ? value : kind === 'any' ? value.replace(/\d+/g, '<rv>') : new Mark(kind, value)
    parts.push(text.slice(end, match.index) + before, mark)
    end = match.index + whole.length
  }
  return [...parts, text.slice(end)].filter((part) => part !== '' || text === '')
}

function lastKey(trail: Trail): string {
  const key = trail.at(-1)
  return typeof key === 'string' ? key : ''
}

function keyBefore(trail: Trail): string {
  const key = trail.at(-3)
  return typeof key === 'string' ? key : ''
}
