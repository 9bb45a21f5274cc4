import type { Status } from '../contract/kubernetes.ts'

/**
 * What a failed call means for its caller: decide again (conflict), try again (transient), or do something else.
 * `exists` is a create that met an object of this name; `rejected` is what another attempt will not change.
 */
export type FailureKind = 'conflict' | 'exists' | 'transient' | 'missing' | 'forbidden' | 'rejected'

/** A call to the Kubernetes API did not succeed; the message names verb, path, code and the API's own words. */
export class ApiFailure extends Error {
  readonly kind: FailureKind
  /** HTTP status; absent when no answer arrived. */
  readonly code?: number
  readonly status?: Status
  /** Milliseconds that the server asked us to wait. */
  readonly retryAfterMs?: number

  constructor(
    kind: FailureKind,
    message: string,
    details: { code?: number; status?: Status; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause })
    this.name = 'ApiFailure'
    this.kind = kind
    if (details.code !== undefined) this.code = details.code
    if (details.status !== undefined) this.status = details.status
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs
  }
}
