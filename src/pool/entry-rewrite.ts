import { isMap, isScalar, type Pair, type Scalar } from 'yaml'
import { parseEntryDocument, readEntryText } from './entry-text.ts'
import { FIELDS, type Field, type FieldValues } from './fields.ts'
import { type ScalarStyle, writeScalar } from './scalar-text.ts'

/**
 * Changes fields of an entry in its own text, so that comments, unknown fields, line ends, tabs and quoting stay.
 * Empty clears a field. Undefined when the text has no place where that is certain to be read back.
 */
export function rewriteEntry(text: string, changes: FieldValues): string | undefined {
  for (const careful of [false, true]) {
    const edits = editsFor(text, changes, careful)
    const rewritten = edits && apply(text, edits)
    if (rewritten !== undefined && readsAs(rewritten, text, changes)) return rewritten
  }
  return undefined
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

function apply(text: string, edits: readonly Edit[]): string {
  let result = text
  for (const edit of edits.toSorted((a, b) => b.from - a.from))
    result = result.slice(0, edit.from) + edit.text + result.slice(edit.to)
  return result
}

function readsAs(rewritten: string, original: string, changes: FieldValues): boolean {
  const before = readEntryText(original)
  const after = readEntryText(rewritten)
  if (before.fault || after.fault) return false
  return FIELDS.every(
    (field) => (after.values[field] ?? '') === (changes[field] ?? before.values[field] ?? ''),
  )
}

function editsFor(text: string, changes: FieldValues, careful: boolean): readonly Edit[] | undefined {
  const { contents } = parseEntryDocument(text)
  if (!isMap(contents)) return undefined
  const edits: Edit[] = []
  const added: [Field, string][] = []
  for (const [name, value] of Object.entries(changes)) {
    const pair = contents.items.find((item) => isScalar(item.key) && item.key.value === name)
    if (!pair) {
      if (value !== '') added.push([name as Field, value])
      continue
    }
    const edit = isScalar(pair.value) ? replace(text, pair, pair.value, value, careful) : undefined
    if (!edit) return undefined
    edits.push(edit)
  }
  if (added.length > 0) {
    const edit = contents.flow
      ? insertInFlow(text, contents.items, added)
      : insertLines(text, contents.items, added)
    if (!edit) return undefined
    edits.push(edit)
  }
  return edits
}

function replace(
  text: string,
  pair: Pair,
  scalar: Scalar,
  value: string,
  careful: boolean,
): Edit | undefined {
  const [from, to] = scalar.range ?? []
  if (from === undefined || to === undefined) return undefined
  const literal = careful && value === '' ? '""' : writeScalar(value, careful ? 'double' : styleOf(scalar))
  if (from === to) return insertAfterColon(pair, literal)
  const source = text.slice(from, to)
  // A block scalar owns the line end after it; what takes its place doesn't.
  const lineEnd = /\r?\n$/.exec(source)?.[0] ?? ''
  // `field: value` is cleared to `field:`, from where setting it again gives the first form back.
  const start = literal === '' && text.slice(from - 2, from) === ': ' ? from - 1 : from
  return { from: start, to, text: literal + lineEnd }
}

function insertAfterColon(pair: Pair, literal: string): Edit | undefined {
  const colon = pair.srcToken?.sep?.find((token) => token.type === 'map-value-ind')
  if (!colon) return undefined
  const at = colon.offset + 1
  return { from: at, to: at, text: literal === '' ? '' : ` ${literal}` }
}

function styleOf(scalar: Scalar): ScalarStyle {
  if (scalar.type === 'QUOTE_DOUBLE') return 'double'
  return scalar.type === 'QUOTE_SINGLE' ? 'single' : 'plain'
}

/** New fields go below the last field that stands on one line, indented like it. */
function insertLines(
  text: string,
  items: readonly Pair[],
  added: readonly [Field, string][],
): Edit | undefined {
  for (const { key, value } of items.toReversed()) {
    if (!isScalar(key) || !isScalar(value) || !key.range || !value.range) continue
    const from = text.lastIndexOf('\n', key.range[0] - 1) + 1
    const indent = text.slice(from, key.range[0])
    const breakAt = text.indexOf('\n', key.range[0])
    const to = breakAt < 0 ? text.length : breakAt
    if (!/^ *$/.test(indent) || value.range[1] > to) continue
    const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
    const lines = added.map(([name, newValue]) => `${indent}${name}: ${writeScalar(newValue, 'plain')}`)
    if (breakAt < 0) return { from: to, to, text: lines.map((line) => lineEnd + line).join('') }
    return { from: to + 1, to: to + 1, text: lines.map((line) => line + lineEnd).join('') }
  }
  return undefined
}

/** `{a: b}` and JSON: new fields go behind the first field that has a value, quoted like it. */
function insertInFlow(
  text: string,
  items: readonly Pair[],
  added: readonly [Field, string][],
): Edit | undefined {
  for (const { key, value } of items) {
    if (!isScalar(key) || !isScalar(value) || !key.range || !value.range || value.range[0] === value.range[1])
      continue
    const quoted = text[key.range[0]] === '"'
    const fields = added.map(([name, newValue]) =>
      quoted
        ? `, "${name}": ${writeScalar(newValue, 'double')}`
        : `, ${name}: ${writeScalar(newValue, 'plain')}`,
    )
    return { from: value.range[1], to: value.range[1], text: fields.join('') }
  }
  return undefined
}
