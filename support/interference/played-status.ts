import type { Status } from '../../src/contract/kubernetes.ts'

/** The Status that the API itself gives with each code, for the refusals that interference plays. */
export function playedStatus(code: number, retryAfterSeconds?: number): Status {
  const { reason, message } = KNOWN[code] ?? { reason: 'InternalError', message: 'an error on the server' }
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
    code,
  }
}

const KNOWN: Readonly<Record<number, { reason: string; message: string }>> = {
  400: { reason: 'BadRequest', message: 'the request is not understood' },
  403: { reason: 'Forbidden', message: 'this identity may not do that here' },
  409: {
    reason: 'Conflict',
    message: 'the object has been modified; apply your changes to the latest version',
  },
  410: { reason: 'Expired', message: 'the provided resource version is too old' },
  422: { reason: 'Invalid', message: 'the object is invalid' },
  429: { reason: 'TooManyRequests', message: 'too many requests, try again later' },
  500: { reason: 'InternalError', message: 'an error on the server' },
  503: { reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request' },
  504: { reason: 'Timeout', message: 'the request did not complete within the allotted time' },
}
