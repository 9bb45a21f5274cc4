import type { FieldError } from './validation/field-error.ts'
import { body as errorBody } from './validation/field-error.ts'

export interface StatusCause {
  readonly reason?: string
  readonly message: string
  readonly field?: string
}

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** A refusal as Kubernetes words it: everything the server says no to is one of these. */
export class ApiError extends Error {
  readonly code: number
  readonly reason: string | undefined
  readonly details: StatusDetails | undefined
  /** A token that continues an expired list. */
  readonly continueToken: string | undefined

  constructor(
    code: number,
    reason: string | undefined,
    message: string,
    details?: StatusDetails,
    continueToken?: string,
  ) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.reason = reason
    this.details = details
    this.continueToken = continueToken
  }

  /** The Status object that goes over the wire. */
  status(): object {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: 'Failure',
      message: this.message,
      ...(this.reason === undefined ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    }
  }
}

/** What an error is about: `configmaps` or `deployments.apps`. */
export interface GroupResource {
  readonly group: string
  readonly resource: string
}

export interface GroupKind {
  readonly group: string
  readonly kind: string
}

function qualified(group: string, name: string): string {
  return group === '' ? name : `${name}.${group}`
}

function about(of: GroupResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(of.group === '' ? {} : { group: of.group }),
    kind: of.resource,
  }
}

export function notFound(of: GroupResource, name: string): ApiError {
  return new ApiError(
    404,
    'NotFound',
    `${qualified(of.group, of.resource)} "${name}" not found`,
    about(of, name),
  )
}

/** The path names nothing the server knows. */
export function unknownPath(): ApiError {
  return new ApiError(404, 'NotFound', 'the server could not find the requested resource', {})
}

export function alreadyExists(of: GroupResource, name: string, isBeingDeleted = false): ApiError {
  return new ApiError(
    409,
    'AlreadyExists',
    `${isBeingDeleted ? 'object is being deleted: ' : ''}${qualified(of.group, of.resource)} "${name}" already exists`,
    about(of, name),
  )
}

export function conflict(of: GroupResource, name: string, why: string): ApiError {
  return new ApiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(of.group, of.resource)} "${name}": ${why}`,
    about(of, name),
  )
}

export function forbidden(
  of: GroupResource,
  name: string,
  why: string,
  causes?: readonly StatusCause[],
): ApiError {
  const message =
    name === ''
      ? `${qualified(of.group, of.resource)} is forbidden: ${why}`
      : `${qualified(of.group, of.resource)} "${name}" is forbidden: ${why}`
  return new ApiError(403, 'Forbidden', message, {
    ...about(of, name),
    ...(causes === undefined ? {} : { causes }),
  })
}

export function forbiddenPath(why: string): ApiError {
  return new ApiError(403, 'Forbidden', `forbidden: ${why}`, {})
}

export function unauthorized(): ApiError {
  return new ApiError(401, 'Unauthorized', 'Unauthorized')
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message)
}

export function internalError(message: string): ApiError {
  return new ApiError(500, undefined, message)
}

export function methodNotAllowed(): ApiError {
  return new ApiError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  )
}

/** Kubernetes would do this; we say so instead of pretending. */
export function notImplemented(
  what: { verb: string; resource: string; field?: string },
  detail: string,
): ApiError {
  const cause = {
    reason: 'FieldValueNotSupported',
    message: detail,
    ...(what.field === undefined ? {} : { field: what.field }),
  }
  return new ApiError(
    501,
    'NotImplemented',
    `the embedded server does not implement ${what.verb} of ${what.resource}${what.field === undefined ? '' : ` with ${what.field}`}: ${detail}`,
    { kind: what.resource, causes: [cause] },
  )
}

export function expired(message: string, continueToken?: string): ApiError {
  return new ApiError(410, 'Expired', message, undefined, continueToken)
}

/** Characters of complaints in one refusal, more than anybody reads: a body can be wrong in more ways than memory could hold. */
const COMPLAINTS_LIMIT = 256 * 1024

export function invalid(of: GroupKind, name: string, errors: readonly FieldError[]): ApiError {
  const causes = causesOf(errors)
  const lines = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))]
  const text = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`
  return new ApiError(
    422,
    'Invalid',
    `${qualified(of.group, of.kind)} ${JSON.stringify(name)} is invalid: ${text}`,
    {
      ...(name === '' ? {} : { name }),
      ...(of.group === '' ? {} : { group: of.group }),
      ...(of.kind === '' ? {} : { kind: of.kind }),
      causes,
    },
  )
}

function causesOf(errors: readonly FieldError[]): StatusCause[] {
  const causes: StatusCause[] = []
  let length = 0
  for (const error of errors) {
    const message = errorBody(error)
    length += error.field.length + message.length
    if (length > COMPLAINTS_LIMIT && causes.length > 0) break
    causes.push({ reason: error.type, message, field: error.field })
  }
  return causes
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  return new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  )
}
