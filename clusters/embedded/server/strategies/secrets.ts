import { equal, objectAt, own, setOwn } from '../json/access.ts'
import { isObject, type JsonObject } from '../json/exact.ts'
import type { KubeObject } from '../registry/kube-object.ts'
import { type FieldError, invalidValue, required, tooLong } from '../validation/field-error.ts'
import { configKey } from '../validation/names.ts'
import { DATA_LIMIT, immutableFields } from './config-maps.ts'
import { strategy, withPart } from './strategy.ts'

export const secrets = strategy({ defaults, validate, validateUpdate })

/** `stringData` is written into `data` and never read back. */
function defaults(object: KubeObject): KubeObject {
  const plain = object.stringData
  if (!isObject(plain)) return object
  const data: JsonObject = { ...objectAt(object, 'data') }
  for (const [key, value] of Object.entries(plain)) {
    setOwn(data, key, Buffer.from(String(value)).toString('base64'))
  }
  const { kind, apiVersion, metadata, immutable, ...rest } = withPart(object, 'stringData', undefined)
  return { kind, apiVersion, metadata, ...(immutable === undefined ? {} : { immutable }), ...rest, data }
}

function validate(object: KubeObject): FieldError[] {
  const data = objectAt(object, 'data')
  const errors: FieldError[] = []
  let size = 0
  for (const [key, value] of Object.entries(data)) {
    errors.push(...configKey(key).map((message) => invalidValue(`data[${key}]`, key, message)))
    size += Buffer.byteLength(String(value), 'base64')
  }
  if (size > DATA_LIMIT) errors.push(tooLong('data', DATA_LIMIT))
  return [...errors, ...validateType(object, data)]
}

function validateUpdate(next: KubeObject, previous: KubeObject): FieldError[] {
  return [
    ...(equal(next.type, previous.type) ? [] : [invalidValue('type', next.type, 'field is immutable')]),
    ...immutableFields(next, previous, ['data']),
    ...validate(next),
  ]
}

/** What the well-known types must hold. */
function validateType(object: KubeObject, data: JsonObject): FieldError[] {
  const missing = (key: string): FieldError[] => (Object.hasOwn(data, key) ? [] : [required(`data[${key}]`)])
  switch (object.type) {
    case 'kubernetes.io/service-account-token': {
      const key = 'kubernetes.io/service-account.name'
      return (object.metadata.annotations?.[key] ?? '') === ''
        ? [required(`metadata.annotations[${key}]`)]
        : []
    }
    case 'kubernetes.io/dockercfg':
      return dockerConfig(data, '.dockercfg')
    case 'kubernetes.io/dockerconfigjson':
      return dockerConfig(data, '.dockerconfigjson')
    case 'kubernetes.io/basic-auth':
      return Object.hasOwn(data, 'username') || Object.hasOwn(data, 'password')
        ? []
        : [...missing('username'), ...missing('password')]
    case 'kubernetes.io/ssh-auth':
      return String(own(data, 'ssh-privatekey') ?? '') === '' ? [required('data[ssh-privatekey]')] : []
    case 'kubernetes.io/tls':
      return [...missing('tls.crt'), ...missing('tls.key')]
    default:
      return []
  }
}

function dockerConfig(data: JsonObject, key: string): FieldError[] {
  const value = own(data, key)
  if (value === undefined) return [required(`data[${key}]`)]
  try {
    if (isObject(JSON.parse(Buffer.from(String(value), 'base64').toString()))) return []
  } catch {
    // Refused below: no JSON at all is as wrong as JSON of another type.
  }
  return [
    invalidValue(
      `data[${key}]`,
      '<secret contents redacted>',
      'invalid character looking for beginning of value',
    ),
  ]
}
