import type { ApiFailure } from '../api/api-failure.ts'
import type { ErrorCode } from '../contract/error-codes.ts'
import { PoolwrightError } from '../contract/errors.ts'

/** Where the pool lives, as messages name it. */
export interface PoolPlace {
  readonly namespace: string
  readonly configMap: string
}

/** What an answer that no other attempt will change means to the caller. */
export function refusalOf(failure: ApiFailure, place: PoolPlace): PoolwrightError {
  const code: ErrorCode = isTooLarge(failure)
    ? 'PoolFull'
    : failure.kind === 'forbidden'
      ? 'Forbidden'
      : 'ApiRejected'
  return new PoolwrightError(code, `ConfigMap ${place.namespace}/${place.configMap}: ${failure.message}`, {
    cause: failure,
  })
}

/** The API server's own limit for a ConfigMap, the limit of a request, and etcd's. */
function isTooLarge(failure: ApiFailure): boolean {
  const causes = failure.status?.details?.causes ?? []
  return (
    failure.code === 413 ||
    causes.some(({ reason }) => reason === 'FieldValueTooLong') ||
    /request is too large/i.test(failure.message)
  )
}
