import { isExactNumber, isInteger } from '../json/exact.ts'
import { DecodeError } from './decode-error.ts'
import { canonicalQuantity } from './quantity.ts'
import { microTime, time } from './time.ts'
import type { Scalar } from './types.ts'

type Mismatch = (found: unknown, wanted: string) => DecodeError

/** Reads one scalar and returns the form Kubernetes writes it in. */
export function decodeScalar(name: Scalar, value: unknown, mismatch: Mismatch): unknown {
  switch (name) {
    case 'string':
      if (typeof value !== 'string') throw mismatch(value, 'string')
      return value
    case 'bool':
      if (typeof value !== 'boolean') throw mismatch(value, 'bool')
      return value
    case 'int32':
      if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > 2 ** 31)
        throw mismatch(value, 'int32')
      return value
    case 'int64':
      if (!isInteger(value)) throw mismatch(value, 'int64')
      return value
    case 'float64':
      if (typeof value !== 'number' && !isExactNumber(value)) throw mismatch(value, 'float64')
      return value
    case '[]byte':
      if (typeof value !== 'string') throw mismatch(value, '[]uint8')
      return base64(value)
    case 'Time':
    case 'MicroTime': {
      if (typeof value !== 'string') throw mismatch(value, 'string')
      return name === 'Time' ? time(value) : microTime(value)
    }
    case 'Duration':
      if (typeof value !== 'string') throw mismatch(value, 'string')
      return value
    case 'Quantity':
      if (typeof value !== 'string' && typeof value !== 'number') throw mismatch(value, 'resource.Quantity')
      return canonicalQuantity(String(value))
    case 'IntOrString':
      if (typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value))) return value
      throw mismatch(value, 'int32')
    default:
      return value
  }
}

export function jsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isExactNumber(value)) return `number ${value.rawJSON}`
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function base64(text: string): string {
  const compact = text.replaceAll(/[\r\n]/g, '')
  const bad = compact.search(/[^A-Za-z0-9+/=]/)
  if (bad !== -1) throw new DecodeError(`illegal base64 data at input byte ${bad}`)
  if (compact.length % 4 !== 0 || !/^[^=]*={0,2}$/.test(compact)) {
    throw new DecodeError(`illegal base64 data at input byte ${compact.length - (compact.length % 4)}`)
  }
  return compact
}
