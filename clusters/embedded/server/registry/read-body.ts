import { textAt } from '../json/access.ts'
import { isObject, type JsonObject, NumberRangeError, parseExact } from '../json/exact.ts'
import { countKeys, countWrittenKeys, duplicateKeys, TooDeepError } from '../json/text-checks.ts'
import { DecodeError } from '../schemas/decode-error.ts'
import { type ApiError, badRequest, invalid } from '../status.ts'
import { invalidValue } from '../validation/field-error.ts'
import type { KubeObject } from './kube-object.ts'
import type { FieldValidation } from './options.ts'
import type { Registry } from './registry.ts'
import { groupVersion, type Resource } from './resource.ts'

/** Unknown and duplicate fields that are named; Kubernetes' decoder stops counting there too. */
const MAXIMUM_COMPLAINTS = 100

/** What a write was sent: the text and how to complain about what it contains. */
export interface Reading {
  readonly fieldValidation: FieldValidation
  /** Collects what the client is told in Warning headers. */
  readonly warnings: string[]
}

/** Parses and decodes the body of a create or an update. Throws ApiError 400. */
export function readObject(registry: Registry, row: Resource, text: string, reading: Reading): KubeObject {
  const value = parseBody(row, text)
  const apiVersion = value.apiVersion ?? ''
  const kind = value.kind ?? ''
  const shownKind = kind === '' ? row.kind : String(kind)
  const shownVersion = apiVersion === '' ? row.version : (String(apiVersion).split('/').at(-1) ?? '')
  const refuse = (why: string): ApiError =>
    badRequest(`${shownKind} in version "${shownVersion}" cannot be handled as a ${row.kind}: ${why}`)
  if (row.custom) checkCustomKind(row, value, text)
  if ((kind !== '' && kind !== row.kind) || (apiVersion !== '' && apiVersion !== groupVersion(row))) {
    throw refuse(wrongKind(registry, row, value))
  }
  let duplicates: readonly string[]
  try {
    duplicates = duplicatesIn(text, value)
  } catch (error) {
    if (error instanceof TooDeepError) throw refuse(error.message)
    throw error
  }
  return decodeChecked(row, value, duplicates, reading, refuse)
}

/** Decodes a value and treats unknown and duplicate fields as asked: refuse, warn or ignore. */
export function decodeChecked(
  row: Resource,
  value: JsonObject,
  duplicates: readonly string[],
  reading: Reading,
  refuse: (why: string) => ApiError,
): KubeObject {
  try {
    const { object, unknown } = row.decode(value)
    if (reading.fieldValidation === 'Ignore') return object
    const complaints = [
      ...duplicates.map((field) => `duplicate field "${field}"`),
      ...unknown.map((field) => `unknown field "${field}"`),
    ].slice(0, MAXIMUM_COMPLAINTS)
    if (complaints.length > 0 && reading.fieldValidation === 'Strict') {
      throw refuse(`strict decoding error: ${complaints.join(', ')}`)
    }
    reading.warnings.push(...complaints)
    return object
  } catch (error) {
    if (error instanceof DecodeError) throw refuse(error.message)
    throw error
  }
}

/** The fields that a text gives twice, looked for only when it has more keys than its value. Throws TooDeepError. */
export function duplicatesIn(text: string, value: unknown): readonly string[] {
  return countWrittenKeys(text) > countKeys(value) ? duplicateKeys(text) : []
}

/** Custom resources must say what they are. */
function checkCustomKind(row: Resource, value: JsonObject, text: string): void {
  const missing =
    value.kind === undefined ? 'Kind' : value.apiVersion === undefined ? 'apiVersion' : undefined
  if (missing !== undefined) {
    const shown = text.length > 32 ? `${text.slice(0, 32)} ...` : text
    throw badRequest(
      `the object provided is unrecognized (must be of type ${row.kind}): Object '${missing}' is missing in '${text}' (${shown})`,
    )
  }
  if (value.kind === row.kind || value.apiVersion !== groupVersion(row)) return
  const name = textAt(value, 'metadata', 'name')
  throw invalid({ group: row.group, kind: String(value.kind) }, name, [
    invalidValue('kind', value.kind, `must be ${row.kind}`),
  ])
}

/** Why a body of another kind is none of this one, in the words of the step at which Kubernetes' decoder gives up. */
export function wrongKind(registry: Registry, row: Resource, value: JsonObject): string {
  const [apiVersion, kind] = [String(value.apiVersion ?? ''), String(value.kind ?? '')]
  if (row.custom) return `${apiVersion}, Kind=${kind} is not ${groupVersion(row)}, Kind=${row.kind}`
  const other = registry
    .resources()
    .find((each) => each.kind === kind && groupVersion(each) === apiVersion && !each.custom)
  if (other === undefined) {
    return `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`
  }
  try {
    other.decode(value)
  } catch (error) {
    if (error instanceof DecodeError) return error.message
    throw error
  }
  return `converting (${other.version}.${kind}) to (${row.struct}): unknown conversion`
}

function parseBody(row: Resource, text: string): JsonObject {
  const unrecognised = (why: string, shown: string): ApiError =>
    badRequest(
      `the object provided is unrecognized (must be of type ${row.kind}): couldn't get version/kind; json parse error: ${why} (${shown})`,
    )
  let value: unknown
  try {
    value = parseExact(text)
  } catch (error) {
    if (error instanceof NumberRangeError) {
      throw badRequest(
        `${row.kind} in version "${row.version}" cannot be handled as a ${row.kind}: ${error.message}`,
      )
    }
    if (error instanceof RangeError) throw unrecognised('exceeded max depth', excerpt(text))
    throw unrecognised(syntaxMessage(text), excerpt(text))
  }
  if (isObject(value)) return value
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  throw unrecognised(
    `json: cannot unmarshal ${type} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    Buffer.from(text).toString('hex').slice(0, 256),
  )
}

function excerpt(text: string): string {
  return text === '' ? '<empty>' : text.slice(0, 1024)
}

/** What Go says of a text that is no JSON. */
export function syntaxMessage(text: string): string {
  try {
    JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const unexpected = /Unexpected token '?(.)'?/u.exec(message)?.[1]
    if (!message.includes('end of JSON') && !message.includes('Unterminated') && unexpected !== undefined) {
      return `invalid character '${unexpected}' looking for beginning of value`
    }
  }
  return 'unexpected end of JSON input'
}
