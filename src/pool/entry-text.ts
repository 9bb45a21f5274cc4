import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import { FIELDS, type Field, type FieldValues, isField } from './fields.ts'
import { readPlainMapping } from './plain-mapping.ts'

/** An honest entry has some 200 bytes; reading time grows with the square of hostile ones. */
const LONGEST_ENTRY_BYTES = 8 * 1024
const CACHED_TEXTS = 20_000

/** What makes a text unreadable: `value` stands for the whole of it. Fields that could be read all the same come along. */
export interface TextFault {
  readonly field: Field | 'value'
  readonly found: string
}

export interface EntryText {
  readonly values: FieldValues
  readonly fault?: TextFault
}

/** Reads an entry's text, never retyping and never expanding anything; cached, since most entries don't change. */
export function readEntryText(text: string): EntryText {
  const known = cache.get(text)
  if (known) return known
  const read = readAnew(text)
  if (cache.size >= CACHED_TEXTS) cache.clear()
  cache.set(text, read)
  return read
}

/** The parsed YAML of a text, with the tokens that a rewrite needs; throws nothing that `errors` can say. */
export function parseEntryDocument(text: string): Document.Parsed {
  return parseDocument(text, {
    schema: 'failsafe',
    uniqueKeys: true,
    keepSourceTokens: true,
    prettyErrors: false,
  })
}

const cache = new Map<string, EntryText>()

function readAnew(text: string): EntryText {
  const broken = (found: string): EntryText => ({ values: {}, fault: { field: 'value', found } })
  const bytes = Buffer.byteLength(text)
  if (bytes > LONGEST_ENTRY_BYTES) return broken(`${bytes} bytes, more than ${LONGEST_ENTRY_BYTES}`)
  const plain = readPlainMapping(text)
  if (plain) return { values: Object.fromEntries([...plain].filter(([name]) => isField(name))) }
  const control = CONTROL.exec(text)
  if (control) return broken(`the character ${codePoint(control[0])}`)
  try {
    return readDocument(parseEntryDocument(text), broken)
  } catch (error) {
    return broken(`not readable as YAML: ${error instanceof Error ? error.message : String(error)}`)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/

function codePoint(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return code === 'FEFF' ? 'U+FEFF, a byte order mark' : `U+${code}`
}

function readDocument(document: Document.Parsed, broken: (found: string) => EntryText): EntryText {
  const contents: unknown = document.contents
  const [error] = document.errors
  if (error) return duplicateIn(contents) ?? broken(explain(error))
  if (contents === null) return broken('nothing')
  if (!isMap(contents) || contents.tag) return broken('no plain mapping')
  if (hasAlias(document)) return broken('an alias, which is never expanded')
  return readMap(contents)
}

/** The parser's own words are for whoever calls it, where it is given several documents. */
function explain({ code, message, pos: [start] }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'more than one YAML document'
  return `not YAML at character ${start + 1}: ${message}`
}

function hasAlias(document: Document.Parsed): boolean {
  let found = false
  visit(document, {
    Alias() {
      found = true
      return visit.BREAK
    },
  })
  return found
}

function duplicateIn(contents: unknown): EntryText | undefined {
  if (!isMap(contents)) return undefined
  const names = contents.items.map((pair) => (isScalar(pair.key) ? pair.key.value : undefined))
  const field = FIELDS.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
  return field && { values: {}, fault: { field, found: 'the field twice' } }
}

function readMap(map: YAMLMap): EntryText {
  const values: Partial<Record<Field, string>> = {}
  let fault: TextFault | undefined
  for (const { key, value } of map.items) {
    if (!isScalar(key) || typeof key.value !== 'string' || !isField(key.value)) continue
    if (value === null) values[key.value] = ''
    else if (isScalar(value) && typeof value.value === 'string' && !value.tag) values[key.value] = value.value
    else fault ??= { field: key.value, found: kindOf(value) }
  }
  return fault ? { values, fault } : { values }
}

function kindOf(value: unknown): string {
  if (isMap(value)) return 'a mapping'
  if (isAlias(value)) return 'an alias'
  return isScalar(value) ? `a value tagged ${value.tag ?? 'as something else'}` : 'a list'
}
