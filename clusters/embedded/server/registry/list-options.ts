import { ApiError, badRequest, internalError, invalid } from '../status.ts'
import { type FieldError, forbiddenField, notSupported } from '../validation/field-error.ts'
import { type Continuation, decodeToken } from './continue-token.ts'
import { numberOf } from './options.ts'

export interface ListOptions {
  /** Undefined: the most recent. 0: any. */
  readonly revision: number | undefined
  readonly match: '' | 'Exact' | 'NotOlderThan'
  readonly limit: number
  /** Where the list before this one was cut off. */
  readonly continuation: Continuation | undefined
}

export interface WatchOptions {
  readonly revision: number | undefined
  readonly sendInitialEvents: boolean | undefined
  readonly bookmarks: boolean
  readonly timeoutSeconds: number | undefined
}

/** Reads metav1.ListOptions of a list. Throws ApiError. */
export function listOptions(query: URLSearchParams): ListOptions {
  const { version, match } = common(query, false)
  const limit = numberOf(query, 'limit') ?? 0
  numberOf(query, 'timeoutSeconds')
  const token = query.get('continue') ?? ''
  const continuation = token === '' ? undefined : decodeToken(token)
  if (continuation !== undefined && version !== '' && version !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  if (version !== '' && !/^\d+$/.test(version)) {
    throw badRequest(`invalid resource version: ${invalidVersion(version)}`)
  }
  return {
    revision: version === '' ? undefined : Number(version),
    match: match as ListOptions['match'],
    limit,
    continuation,
  }
}

/** The same of a watch. Throws ApiError. */
export function watchOptions(query: URLSearchParams): WatchOptions {
  const { version } = common(query, true)
  if (version !== '' && !/^\d+$/.test(version)) throw internalError(invalidVersion(version))
  return {
    revision: version === '' ? undefined : Number(version),
    sendInitialEvents: query.has('sendInitialEvents') ? isTrue(query.get('sendInitialEvents')) : undefined,
    bookmarks: isTrue(query.get('allowWatchBookmarks')),
    timeoutSeconds: numberOf(query, 'timeoutSeconds'),
  }
}

/** A query flag counts as Kubernetes reads it: present and not false. */
export function isTrue(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0'
}

function common(query: URLSearchParams, watch: boolean): { version: string; match: string } {
  const version = query.get('resourceVersion') ?? ''
  const match = query.get('resourceVersionMatch') ?? ''
  const errors = watch ? watchErrors(query, match) : listErrors(query, version, match)
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors)
  return { version, match }
}

function watchErrors(query: URLSearchParams, match: string): FieldError[] {
  const field = 'resourceVersionMatch'
  const initial = query.has('sendInitialEvents')
  const errors: FieldError[] = []
  if (match !== '' && !initial) {
    errors.push(
      forbiddenField(
        field,
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    )
  }
  if (initial && match === '') {
    errors.push(
      forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    )
  } else if (match !== '' && match !== 'NotOlderThan')
    errors.push(notSupported(field, match, ['NotOlderThan']))
  if ((query.get('continue') ?? '') !== '')
    errors.push(forbiddenField('continue', 'continue is forbidden for watch'))
  return errors
}

function listErrors(query: URLSearchParams, version: string, match: string): FieldError[] {
  const field = 'resourceVersionMatch'
  const errors: FieldError[] = []
  if (query.has('sendInitialEvents')) {
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  }
  if (match === '') return errors
  if (version === '') {
    errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'))
  }
  if ((query.get('continue') ?? '') !== '') {
    errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided'))
  }
  if (match !== 'Exact' && match !== 'NotOlderThan')
    errors.push(notSupported(field, match, ['Exact', 'NotOlderThan', '']))
  if (match === 'Exact' && version === '0') {
    errors.push(forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
  }
  return errors
}

function invalidVersion(version: string): string {
  return `resourceVersion: Invalid value: ${JSON.stringify(version)}: strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`
}

/** A revision that the store has not reached: clients try again. */
export function tooLarge(revision: number, current: number): ApiError {
  return new ApiError(
    504,
    'Timeout',
    `Timeout: Too large resource version: ${revision}, current: ${current}`,
    {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  )
}
