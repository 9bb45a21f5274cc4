import { equal, own } from '../json/access.ts'
import { isExactNumber, isInteger, isObject } from '../json/exact.ts'
import {
  duplicate,
  type FieldError,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../validation/field-error.ts'
import { FORMATS } from './formats.ts'
import { matches } from './pattern.ts'
import { type Schema, schemaOfKey, TYPE_META } from './schema.ts'

/** What is wrong with a value by its schema, in the words of kube-openapi's validator as apiextensions passes them on. */
export function validateValue(value: unknown, schema: Schema, path = '', isRoot = true): FieldError[] {
  if (value === null && schema.nullable === true) return []
  const wrongType = checkType(value, schema, path)
  if (wrongType !== undefined) return [wrongType]
  return [
    ...checkEnum(value, schema, path),
    ...(typeof value === 'string' ? checkString(value, schema, path) : []),
    ...(typeof value === 'number' || isExactNumber(value) ? checkNumber(value, schema, path) : []),
    ...(Array.isArray(value) ? checkList(value, schema, path) : []),
    ...(isObject(value) ? checkObject(value, schema, path, isRoot) : []),
    ...checkCombinations(value, schema, path),
  ]
}

function checkType(value: unknown, schema: Schema, path: string): FieldError | undefined {
  const wanted =
    schema['x-kubernetes-int-or-string'] === true
      ? ['integer', 'string']
      : schema.type === undefined
        ? []
        : [schema.type]
  if (wanted.length === 0 || wanted.some((type) => isOfType(value, type))) return undefined
  return typeError(path, typeOf(value), wanted.join(','))
}

function typeError(path: string, shown: string, wanted: string): FieldError {
  return {
    type: 'FieldValueTypeInvalid',
    field: path,
    value: shown,
    detail: `${path} in body must be of type ${wanted}: ${JSON.stringify(shown)}`,
  }
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return isInteger(value)
    case 'number':
      return typeof value === 'number' || isExactNumber(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'boolean':
      return typeof value === 'boolean'
    default:
      return type === 'string' && typeof value === 'string'
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isExactNumber(value) || typeof value === 'number') return isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function checkEnum(value: unknown, schema: Schema, path: string): FieldError[] {
  if (schema.enum === undefined || schema.enum.some((allowed) => equal(allowed, value))) return []
  return [
    notSupported(
      path,
      value,
      schema.enum.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))),
    ),
  ]
}

function checkString(value: string, schema: Schema, path: string): FieldError[] {
  const length = [...value].length
  const errors: FieldError[] = []
  if (schema.maxLength !== undefined && length > schema.maxLength)
    errors.push(tooLong(path, schema.maxLength))
  if (schema.minLength !== undefined && length < schema.minLength) {
    errors.push(
      invalidValue(path, value, `${path} in body should be at least ${schema.minLength} chars long`),
    )
  }
  if (schema.pattern !== undefined && !matches(schema.pattern, value, path)) {
    errors.push(invalidValue(path, value, `${path} in body should match '${schema.pattern}'`))
  }
  const check = schema.format === undefined ? undefined : FORMATS[schema.format]
  if (check !== undefined && !check(value)) {
    errors.push({ ...typeError(path, value, schema.format ?? ''), value })
  }
  return errors
}

function checkNumber(value: unknown, schema: Schema, path: string): FieldError[] {
  const number = isExactNumber(value) ? Number(value.rawJSON) : (value as number)
  const refuse = (what: string): FieldError => invalidValue(path, value, `${path} in body should be ${what}`)
  const { minimum, maximum, multipleOf } = schema
  const errors: FieldError[] = []
  if (maximum !== undefined && (schema.exclusiveMaximum === true ? number >= maximum : number > maximum)) {
    errors.push(refuse(`less than ${schema.exclusiveMaximum === true ? '' : 'or equal to '}${maximum}`))
  }
  if (minimum !== undefined && (schema.exclusiveMinimum === true ? number <= minimum : number < minimum)) {
    errors.push(refuse(`greater than ${schema.exclusiveMinimum === true ? '' : 'or equal to '}${minimum}`))
  }
  if (multipleOf !== undefined && !Number.isInteger(number / multipleOf))
    errors.push(refuse(`a multiple of ${multipleOf}`))
  return errors
}

function checkList(value: readonly unknown[], schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    errors.push(tooMany(path, value.length, schema.maxItems))
  }
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    errors.push(
      invalidValue(path, value.length, `${path} in body should have at least ${schema.minItems} items`),
    )
  }
  for (const error of checkListType(value, schema, path)) errors.push(error)
  const { items } = schema
  if (items !== undefined) {
    // Not by one push of all: a list may have more complaints than a call takes arguments.
    for (const [index, item] of value.entries())
      for (const error of validateValue(item, items, `${path}[${index}]`, false)) errors.push(error)
  }
  return errors
}

function checkListType(value: readonly unknown[], schema: Schema, path: string): FieldError[] {
  const type = schema['x-kubernetes-list-type']
  if (type !== 'set' && type !== 'map') return []
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const seen = new Set<string>()
  return value.flatMap((item, index) => {
    const identity = type === 'set' ? item : isObject(item) ? keysOf(item, keys, schema.items) : item
    const text = JSON.stringify(identity)
    if (seen.has(text)) return [duplicate(`${path}[${index}]`, identity)]
    seen.add(text)
    return []
  })
}

function keysOf(
  item: Record<string, unknown>,
  keys: readonly string[],
  schema: Schema | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    [...keys].sort().map((key) => [key, own(item, key) ?? schema?.properties?.[key]?.default]),
  )
}

function checkObject(
  value: Record<string, unknown>,
  schema: Schema,
  path: string,
  isRoot: boolean,
): FieldError[] {
  const errors: FieldError[] = []
  const size = Object.keys(value).length
  if (schema.maxProperties !== undefined && size > schema.maxProperties) {
    errors.push(tooMany(path, size, schema.maxProperties))
  }
  if (schema.minProperties !== undefined && size < schema.minProperties) {
    errors.push(
      invalidValue(path, size, `${path} in body should have at least ${schema.minProperties} properties`),
    )
  }
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key)) errors.push(required(path === '' ? key : `${path}.${key}`))
  }
  for (const [key, item] of Object.entries(value)) {
    if (isRoot && TYPE_META.includes(key)) continue
    const inner = schemaOfKey(schema, key)
    if (inner === undefined) continue
    for (const error of validateValue(item, inner, path === '' ? key : `${path}.${key}`, false))
      errors.push(error)
  }
  return errors
}

function checkCombinations(value: unknown, schema: Schema, path: string): FieldError[] {
  const valid = (each: Schema): boolean => validateValue(value, each, path, false).length === 0
  const refuse = (what: string): FieldError =>
    invalidValue('<nil>', '', `${JSON.stringify(path)} must ${what}`)
  const errors: FieldError[] = []
  const { allOf = [], anyOf = [], oneOf = [], not } = schema
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true
  if (anyOf.length > 0 && !isIntOrString && !anyOf.some(valid)) {
    errors.push(refuse('validate at least one schema (anyOf)'), ...closest(value, anyOf, path))
  }
  if (oneOf.length > 0) {
    const count = oneOf.filter(valid).length
    if (count === 0) {
      errors.push(
        refuse('validate one and only one schema (oneOf). Found none valid'),
        ...closest(value, oneOf, path),
      )
    } else if (count > 1) {
      errors.push(refuse(`validate one and only one schema (oneOf). Found ${count} valid alternatives`))
    }
  }
  const failed = allOf
    .map((each) => validateValue(value, each, path, false))
    .filter((each) => each.length > 0)
  if (failed.length > 0 && !(isIntOrString && allOf.length === failed.length && allOf.length === 1)) {
    errors.push(
      ...failed.flat(),
      refuse(`validate all the schemas (allOf)${failed.length === allOf.length ? '. None validated' : ''}`),
    )
  }
  if (not !== undefined && valid(not)) errors.push(refuse('not validate the schema (not)'))
  return errors
}

/** The complaints of the alternative that came nearest. */
function closest(value: unknown, schemas: readonly Schema[], path: string): FieldError[] {
  return schemas
    .map((each) => validateValue(value, each, path, false))
    .reduce((best, each) => (each.length < best.length ? each : best))
}

function tooMany(path: string, count: number, maximum: number): FieldError {
  return {
    type: 'FieldValueTooMany',
    field: path,
    value: count,
    detail: `must have at most ${maximum} item${maximum === 1 ? '' : 's'}`,
  }
}
