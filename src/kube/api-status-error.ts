import type { Status } from '../contract/kubernetes.ts'

/** The API answered with something other than success; carries its Status, made up where the answer had none. */
export class ApiStatusError extends Error {
  /** The HTTP code. */
  readonly code: number
  /** `NotFound`, `Conflict`, `Expired`, … ; empty where the answer names none. */
  readonly reason: string
  readonly status: Status
  /** Seconds, from the Retry-After header or the Status. */
  readonly retryAfterSeconds: number | undefined

  constructor(request: string, code: number, body: unknown, retryAfter?: string) {
    const status = asStatus(code, body)
    super(`${request}: ${code} ${status.reason ?? ''} ${status.message ?? ''}`.replace(/\s+/g, ' ').trim())
    this.name = 'ApiStatusError'
    this.code = code
    this.reason = status.reason ?? ''
    this.status = status
    const seconds = Number(retryAfter ?? status.details?.retryAfterSeconds)
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
  }
}

/** Whether the API said that the object (or the resource) is not there. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiStatusError && error.code === 404
}

/** What a request answers; undefined where the API says that there is no such thing. */
export async function ifFound<T>(request: Promise<T>): Promise<T | undefined> {
  return request.catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
}

/** Whether the API said that an object of this name is there already. */
export function isAlreadyExists(error: unknown): boolean {
  return error instanceof ApiStatusError && error.code === 409 && error.reason === 'AlreadyExists'
}

/** Whether the object was changed since the version that the write names. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiStatusError && error.code === 409 && error.reason !== 'AlreadyExists'
}

function asStatus(code: number, body: unknown): Status {
  if (typeof body === 'object' && body !== null && (body as Status).kind === 'Status') return body as Status
  const message = typeof body === 'string' ? body.slice(0, 500) : 'the answer has no Status'
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code }
}
