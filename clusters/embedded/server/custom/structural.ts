import { equal } from '../json/access.ts'
import { notImplemented } from '../status.ts'
import { type FieldError, forbiddenField, invalidValue, required } from '../validation/field-error.ts'
import { applyDefaults } from './default.ts'
import { UNCHECKED_FORMATS } from './formats.ts'
import { prune } from './prune.ts'
import type { Schema } from './schema.ts'
import { validateValue } from './validate.ts'

type Level = 'at the root' | 'for specified object fields' | 'for specified array items'

/** What keeps a schema from being structural, as far as it would make objects mean something else here than in Kubernetes. */
export function validateStructure(schema: Schema, field: string, level: Level = 'at the root'): FieldError[] {
  refuseUnsupported(schema, field)
  const errors: FieldError[] = []
  const { type, items, properties = {}, additionalProperties } = schema
  const root = level === 'at the root'
  if (type === 'array' && items === undefined) errors.push(required(`${field}.items`, 'must be specified'))
  if (items !== undefined)
    errors.push(...validateStructure(items, `${field}.items`, 'for specified array items'))
  for (const [key, property] of Object.entries(properties)) {
    if (root && (key === 'metadata' || key === 'apiVersion' || key === 'kind')) continue
    errors.push(...validateStructure(property, `${field}.properties[${key}]`, 'for specified object fields'))
  }
  if (additionalProperties !== undefined && root) {
    errors.push(forbiddenField(`${field}.additionalProperties`, 'must not be used at the root'))
  }
  if (typeof additionalProperties === 'object') {
    errors.push(
      ...validateStructure(
        additionalProperties,
        `${field}.additionalProperties`,
        'for specified object fields',
      ),
    )
    if (Object.keys(properties).length > 0) {
      errors.push(
        forbiddenField(
          `${field}.additionalProperties`,
          'additionalProperties and properties are mutual exclusive',
        ),
      )
    }
  }
  const free =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true
  if (type === undefined && !free) errors.push(required(`${field}.type`, `must not be empty ${level}`))
  if (root && type !== undefined && type !== 'object') {
    errors.push(invalidValue(`${field}.type`, type, 'must be object at the root'))
  }
  return [...errors, ...validateDefault(schema, field)].sort((one, other) =>
    one.field < other.field ? -1 : 1,
  )
}

/** A default must itself be a valid value. */
function validateDefault(schema: Schema, field: string): FieldError[] {
  if (schema.default === undefined) return []
  const unknown: string[] = []
  prune(schema.default, schema, unknown, '', false)
  if (unknown.length > 0)
    return [invalidValue(`${field}.default`, schema.default, 'must not have unknown fields')]
  const completed = applyDefaults(schema.default, schema, false)
  return validateValue(completed, schema, '', false).map((error) => ({
    ...error,
    field: error.field === '' ? `${field}.default` : `${field}.default.${error.field}`,
  }))
}

/** What Kubernetes would check and we can't: refused when the definition comes, so that no object is let through unchecked. */
function refuseUnsupported(schema: Schema, field: string): void {
  const refuse = (key: string, why: string) =>
    notImplemented({ verb: 'create', resource: 'customresourcedefinitions', field: `${field}.${key}` }, why)
  if (schema['x-kubernetes-validations'] !== undefined) {
    throw refuse('x-kubernetes-validations', 'rules in CEL are not implemented')
  }
  if (schema.format !== undefined && schema.type === 'string' && UNCHECKED_FORMATS.includes(schema.format)) {
    throw refuse('format', `the format ${schema.format} is not checked`)
  }
  if (schema.pattern !== undefined && !isPattern(schema.pattern)) {
    throw refuse('pattern', `the pattern ${schema.pattern} is not one that this server can check`)
  }
  for (const list of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, each] of (schema[list] ?? []).entries())
      refuseUnsupported(each, `${field}.${list}[${index}]`)
  }
  if (schema.not !== undefined) refuseUnsupported(schema.not, `${field}.not`)
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') !== undefined
  } catch {
    return false
  }
}

/** Whether two versions have the same schema: Kubernetes then reports its faults under another path. */
export function haveSameSchema(schemas: readonly (Schema | undefined)[]): boolean {
  return schemas.every((schema) => equal(schema, schemas[0]))
}
