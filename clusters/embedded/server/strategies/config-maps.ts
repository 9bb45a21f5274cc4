import { equal, objectAt } from '../json/access.ts'
import type { KubeObject } from '../registry/kube-object.ts'
import { type FieldError, forbiddenField, invalidValue, tooLong } from '../validation/field-error.ts'
import { configKey } from '../validation/names.ts'
import { strategy } from './strategy.ts'

/** What Kubernetes accepts as the data of one ConfigMap or Secret, in bytes. */
export const DATA_LIMIT = 1024 * 1024

export const configMaps = strategy({ validate: (object) => validate(object), validateUpdate })

function validate(object: KubeObject, previous?: KubeObject): FieldError[] {
  const data = objectAt(object, 'data') as Record<string, string>
  const binary = objectAt(object, 'binaryData') as Record<string, string>
  // Thousands of entries are written again and again with one of them changed: the others have been judged before.
  const known = previous === undefined ? {} : objectAt(previous, 'data')
  const errors: FieldError[] = []
  let size = 0
  for (const [key, value] of Object.entries(data)) {
    if (!Object.hasOwn(known, key)) validateKey(key, 'data', errors)
    if (Object.hasOwn(binary, key)) {
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'))
    }
    size += Buffer.byteLength(value)
  }
  for (const [key, value] of Object.entries(binary)) {
    validateKey(key, 'binaryData', errors)
    size += Buffer.byteLength(value, 'base64')
  }
  if (size > DATA_LIMIT) errors.push(tooLong('[]', DATA_LIMIT))
  return errors
}

function validateKey(key: string, field: string, errors: FieldError[]): void {
  for (const message of configKey(key)) errors.push(invalidValue(`${field}[${key}]`, key, message))
}

function validateUpdate(next: KubeObject, previous: KubeObject): FieldError[] {
  return [...immutableFields(next, previous, ['data', 'binaryData']), ...validate(next, previous)]
}

/** `immutable: true` cannot be taken back and freezes the data; shared by ConfigMaps and Secrets. */
export function immutableFields(
  next: KubeObject,
  previous: KubeObject,
  fields: readonly string[],
): FieldError[] {
  if (previous.immutable !== true) return []
  const frozen = (field: string): FieldError =>
    forbiddenField(field, 'field is immutable when `immutable` is set')
  return [
    ...(next.immutable === true ? [] : [frozen('immutable')]),
    ...fields.filter((field) => !equal(next[field], previous[field])).map(frozen),
  ]
}
