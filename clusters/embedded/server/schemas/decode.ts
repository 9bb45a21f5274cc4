import { setOwn } from '../json/access.ts'
import { isObject, type JsonObject } from '../json/exact.ts'
import { DecodeError } from './decode-error.ts'
import { decodeScalar, jsonType } from './decode-scalar.ts'
import { STRUCT_DEFAULTS } from './defaults.ts'
import { type Field, structFields, type TypeRef } from './types.ts'

/**
 * Reads JSON as Go would read it into a struct of Kubernetes and write it out again: types are checked, empty values are left out or
 * written as Go does, fields come in Go's order. What no field takes is dropped and named in `unknown`. Parts that need no change
 * are shared with the input. Throws DecodeError.
 */
export function decodeStruct(
  name: string,
  value: unknown,
  unknown: string[],
  root = name.replace(/^.*\./, ''),
): JsonObject {
  return struct(name, value, '', { root, unknown })
}

interface Context {
  readonly root: string
  readonly unknown: string[]
}

function struct(name: string, value: unknown, path: string, context: Context): JsonObject {
  if (!isObject(value)) throw mismatch(value, path, context, name)
  const fields = structFields(name)
  const given = new Map<string, unknown>()
  // In the order of the input, which is the order in which Kubernetes complains.
  for (const [key, item] of Object.entries(value)) {
    const child = path === '' ? key : `${path}.${key}`
    const field = fields.get(key)
    if (field === undefined) context.unknown.push(child)
    else if (item !== null) given.set(key, decode(field.type, item, child, context))
  }
  const result: JsonObject = {}
  for (const [key, field] of fields) {
    const decoded = given.has(key)
      ? given.get(key)
      : absent(field, path === '' ? key : `${path}.${key}`, context)
    if (decoded !== undefined && !(field.omit !== 'never' && isEmpty(field, decoded))) result[key] = decoded
  }
  return withDefaults(name, result)
}

/** Fills in what is missing, in the order of the fields. */
function withDefaults(name: string, value: JsonObject): JsonObject {
  const defaults = STRUCT_DEFAULTS[name]?.(value)
  if (defaults === undefined || Object.keys(defaults).every((key) => Object.hasOwn(value, key))) return value
  const all: JsonObject = { ...defaults, ...value }
  const result: JsonObject = {}
  for (const key of structFields(name).keys()) if (Object.hasOwn(all, key)) result[key] = all[key]
  return result
}

function decode(type: TypeRef, value: unknown, path: string, context: Context): unknown {
  switch (type.of) {
    case 'pointer':
      return decode(type.to, value, path, context)
    case 'struct':
      return struct(type.name, value, path, context)
    case 'list':
      return list(type.items, value, path, context)
    case 'map':
      return map(type.values, value, path, context)
    case 'scalar':
      if (type.name === 'SchemaOrBool' || type.name === 'SchemaOrArray' || type.name === 'SchemaOrStrings') {
        return schemaOr(type.name, value, path, context)
      }
      return decodeScalar(type.name, value, (found, wanted) => mismatch(found, path, context, wanted))
  }
}

function list(items: TypeRef, value: unknown, path: string, context: Context): unknown[] {
  if (!Array.isArray(value)) throw mismatch(value, path, context, `[]${typeName(items)}`)
  return value.map((item, index) => element(items, item, `${path}[${index}]`, context))
}

/** Large maps (a ConfigMap's data) are returned as they are when nothing in them needs another form. */
function map(values: TypeRef, value: unknown, path: string, context: Context): JsonObject {
  if (!isObject(value)) throw mismatch(value, path, context, `map[string]${typeName(values)}`)
  let copy: JsonObject | undefined
  for (const key in value) {
    const given = value[key]
    if (typeof given === 'string' && values.of === 'scalar' && values.name === 'string') continue
    const decoded = element(values, given, path, context, key)
    if (decoded === given) continue
    copy ??= { ...value }
    setOwn(copy, key, decoded)
  }
  return copy ?? value
}

function element(type: TypeRef, value: unknown, path: string, context: Context, key?: string): unknown {
  const at = key === undefined || type.of === 'scalar' ? path : `${path}.${key}`
  return value === null ? zero(type, at, context) : decode(type, value, at, context)
}

function schemaOr(
  name: 'SchemaOrBool' | 'SchemaOrArray' | 'SchemaOrStrings',
  value: unknown,
  path: string,
  context: Context,
): unknown {
  const schema: TypeRef = { of: 'struct', name: 'apiextensions.JSONSchemaProps' }
  if (name === 'SchemaOrBool' && typeof value === 'boolean') return value
  if (name === 'SchemaOrStrings' && Array.isArray(value))
    return list({ of: 'scalar', name: 'string' }, value, path, context)
  if (name === 'SchemaOrArray' && Array.isArray(value)) return list(schema, value, path, context)
  return decode(schema, value, path, context)
}

/** What Go writes for a field that was not given. */
function absent(field: Field, path: string, context: Context): unknown {
  if (field.type.of === 'struct')
    return field.omit === 'zero' ? undefined : struct(field.type.name, {}, path, { ...context, unknown: [] })
  if (field.omit === 'never' || (field.omit === 'empty' && isStructLike(field.type)))
    return zero(field.type, path, context)
  return undefined
}

/** Times and quantities are structs in Go: `omitempty` does not leave them out. */
function isStructLike(type: TypeRef): boolean {
  return type.of === 'scalar' && ['Time', 'MicroTime', 'Quantity', 'IntOrString'].includes(type.name)
}

function zero(type: TypeRef, path: string, context: Context): unknown {
  if (type.of === 'struct') return struct(type.name, {}, path, { ...context, unknown: [] })
  if (type.of !== 'scalar') return null
  switch (type.name) {
    case 'string':
    case 'Duration':
      return type.name === 'string' ? '' : '0s'
    case 'bool':
      return false
    case 'int32':
    case 'int64':
    case 'float64':
    case 'IntOrString':
      return 0
    case 'Quantity':
      return '0'
    default:
      return null
  }
}

function isEmpty(field: Field, value: unknown): boolean {
  if (field.type.of === 'pointer' || isStructLike(field.type)) return false
  if (field.type.of === 'struct')
    return field.omit === 'zero' && Object.keys(value as JsonObject).length === 0
  if (Array.isArray(value)) return value.length === 0
  if (field.type.of === 'map') {
    for (const _key in value as JsonObject) return false
    return true
  }
  return value === '' || value === 0 || value === false
}

function typeName(type: TypeRef): string {
  switch (type.of) {
    case 'pointer':
      return `*${typeName(type.to)}`
    case 'list':
      return `[]${typeName(type.items)}`
    case 'map':
      return `map[string]${typeName(type.values)}`
    default:
      return type.name
  }
}

function mismatch(value: unknown, path: string, context: Context, wanted: string): DecodeError {
  const place = path === '' ? context.root : `${context.root}.${path.replaceAll(/\[\d+\]/g, '')}`
  return new DecodeError(
    `json: cannot unmarshal ${jsonType(value)} into Go struct field ${place} of type ${wanted}`,
  )
}
