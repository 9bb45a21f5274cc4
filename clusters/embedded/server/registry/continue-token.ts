import { isExactNumber, isObject } from '../json/exact.ts'
import { type ApiError, badRequest } from '../status.ts'
import { syntaxMessage } from './read-body.ts'

/** Where a list that was cut off goes on. */
export interface Continuation {
  /** The revision of the first page, or -1 to go on with whatever there is now. */
  readonly revision: number
  /** The last key that was handed out. */
  readonly after: string
}

const VERSION = 'meta.k8s.io/v1'

export function encodeToken({ revision, after }: Continuation): string {
  const token = { v: VERSION, rv: revision, start: `${after}\u0000` }
  return Buffer.from(JSON.stringify(token)).toString('base64url')
}

/** Reads a token that a client sends back. Throws ApiError 400, worded as k8s.io/apiserver/pkg/storage does. */
export function decodeToken(token: string): Continuation {
  const fields = parse(decodeBase64(token))
  const { v: version = '', rv: revision = 0, start = '' } = fields
  if (typeof version !== 'string') throw wrongType('v', version, 'string')
  if (typeof start !== 'string') throw wrongType('start', start, 'string')
  if (typeof revision !== 'number' || !Number.isInteger(revision)) throw wrongType('rv', revision, 'int64')
  if (version !== VERSION) throw refuse(` server does not recognize this encoded version ${version}`)
  if (revision === 0) throw refuse(` incorrect encoded start resourceVersion (version ${VERSION})`)
  if (start === '') throw refuse(` encoded start key empty (version ${VERSION})`)
  // A key that a path would be shortened to is no key, but an attempt at another one.
  const segments = start.replace(/^\//, '').split('/')
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw refuse(` ${start}`)
  }
  return { revision: Math.max(revision, -1), after: start.replace(/\0$/, '') }
}

function decodeBase64(token: string): string {
  const illegal = token.search(/[^\w\r\n-]/)
  const plain = token.replaceAll(/[\r\n]/g, '')
  const at = illegal === -1 && plain.length % 4 === 1 ? token.length - 1 : illegal
  if (at !== -1) throw refuse(` illegal base64 data at input byte ${at}`)
  return Buffer.from(plain, 'base64url').toString()
}

function parse(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse(` ${syntaxMessage(text)}`)
  }
  if (value === null) return {}
  if (isObject(value)) {
    // Go leaves a field as it is that is null.
    return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))
  }
  throw refuse(` json: cannot unmarshal ${typeName(value)} into Go value of type storage.continueToken`)
}

function wrongType(field: string, value: unknown, wanted: string): ApiError {
  const shown = typeof value === 'number' ? `number ${value}` : typeName(value)
  return refuse(
    ` json: cannot unmarshal ${shown} into Go struct field continueToken.${field} of type ${wanted}`,
  )
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return isExactNumber(value) ? 'number' : typeof value
}

function refuse(why: string): ApiError {
  return badRequest(`invalid continue token: continue key is not valid:${why}`)
}
