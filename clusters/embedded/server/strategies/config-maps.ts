import { equal, objectAt } from '../json/access.ts'
import type { KubeObject } from '../registry/kube-object.ts'
import { type FieldError, forbiddenField, invalidValue, tooLong } from '../validation/field-error.ts'
import { configKey } from '../validation/names.ts'
import { strategy } from './strategy.ts'

/** What Kubernetes accepts as the data of one ConfigMap or Secret, in bytes. */
export const DATA_LIMIT = 1024 * 1024

export const configMaps = strategy({ validate, validateUpdate })

function validate(object: KubeObject): FieldError[] {
  const data = objectAt(object, 'data') as Record<string, string>
  const binary = objectAt(object, 'binaryData') as Record<string, string>
  const errors: FieldError[] = []
  let size = 0
  for (const key in data) {
    errors.push(...configKey(key).map((message) => invalidValue(`data[${key}]`, key, message)))
    if (Object.hasOwn(binary, key)) {
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'))
    }
    size += Buffer.byteLength(data[key] as string)
  }
  for (const key in binary) {
    errors.push(...configKey(key).map((message) => invalidValue(`binaryData[${key}]`, key, message)))
    size += Buffer.byteLength(binary[key] as string, 'base64')
  }
  if (size > DATA_LIMIT) errors.push(tooLong('[]', DATA_LIMIT))
  return errors
}

function validateUpdate(next: KubeObject, previous: KubeObject): FieldError[] {
  return [...immutableFields(next, previous, ['data', 'binaryData']), ...validate(next)]
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
