import type { Status } from '../contract/kubernetes.ts'
import { ApiFailure, type FailureKind } from './api-failure.ts'

/** Turns an answer that is not a success into what it means for the caller. */
export function failureOfAnswer(
  subject: string,
  code: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): ApiFailure {
  const status = statusIn(body)
  const reason = status?.reason ? ` ${status.reason}` : ''
  const said = status?.message ?? (body.trim().slice(0, 200) || 'no message')
  const retryAfterMs = retryAfterOf(headers['retry-after'], status)
  return new ApiFailure(kindOf(code, status), `${subject}: ${code}${reason}: ${said}`, {
    code,
    ...(status && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** A call whose answer never arrived, or arrived broken: whether it took effect is unknown. */
export function failureOnTheWay(subject: string, cause: unknown): ApiFailure {
  return new ApiFailure('transient', `${subject}: no answer: ${reasonsOf(cause)}`, { cause })
}

/** Codes by meaning; whatever is not here will not change by itself. */
const KINDS: Readonly<Record<number, FailureKind>> = {
  401: 'forbidden',
  403: 'forbidden',
  404: 'missing',
  408: 'transient',
  409: 'conflict',
  429: 'transient',
  500: 'transient',
  502: 'transient',
  503: 'transient',
  504: 'transient',
}

function kindOf(code: number, status: Status | undefined): FailureKind {
  if (status?.reason === 'AlreadyExists') return 'exists'
  return KINDS[code] ?? 'rejected'
}

function statusIn(body: string): Status | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    const isStatus =
      typeof parsed === 'object' && parsed !== null && 'kind' in parsed && parsed.kind === 'Status'
    return isStatus ? (parsed as Status) : undefined
  } catch {
    return undefined
  }
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3), or the Status's own hint. */
function retryAfterOf(header: string | undefined, status: Status | undefined): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  if (!Number.isNaN(date)) return Math.max(0, date - Date.now())
  const hint = status?.details?.retryAfterSeconds
  return typeof hint === 'number' && Number.isFinite(hint) && hint >= 0 ? hint * 1000 : undefined
}

/** fetch says little more than "fetch failed"; what happened to the socket is among the causes. */
function reasonsOf(error: unknown): string {
  const reasons: string[] = []
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code =
      'code' in at && typeof at.code === 'string' && !at.message.includes(at.code) ? ` (${at.code})` : ''
    if (at.message) reasons.push(at.message + code)
  }
  return reasons.join(': ') || String(error)
}
