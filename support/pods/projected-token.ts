import type { PodRequest } from './pod-template.ts'
import type { SpokenLine } from './transcript.ts'

/** What a service account's token says of itself, as far as the laws ask. */
export interface TokenClaims {
  readonly aud?: readonly string[]
  readonly sub?: string
  readonly 'kubernetes.io'?: { readonly pod?: { readonly name?: string; readonly uid?: string } }
}

/** The shortest that the API grants. */
const LIFETIME_SECONDS = 600

/** A pod that says what the token in its volume claims; the token itself stays where it is. */
export function visitor(audience: string): PodRequest {
  const token = { path: 'token', audience, expirationSeconds: LIFETIME_SECONDS }
  return {
    does: ['claims:/identity/token', 'stay:'],
    container: { volumeMounts: [{ name: 'identity', mountPath: '/identity', readOnly: true }] },
    spec: { volumes: [{ name: 'identity', projected: { sources: [{ serviceAccountToken: token }] } }] },
  }
}

/** What a visitor said. */
export function claimsOf([line]: readonly SpokenLine[]): TokenClaims {
  return JSON.parse(line?.text ?? '{}') as TokenClaims
}
