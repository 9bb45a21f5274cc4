import { UsageError } from '../../src/contract/errors.ts'
import { PROGRAM_VERSIONS } from './versions.ts'

const METALLB_VERSION = PROGRAM_VERSIONS['go.universe.tf/metallb']
const METALLB_MANIFESTS = `https://raw.githubusercontent.com/metallb/metallb/${METALLB_VERSION}/config/manifests/metallb-native.yaml`
const LIMIT_MS = 60_000

/** MetalLB's own manifests of that version, from where it publishes them. */
export async function fetchMetallbManifests(signal: AbortSignal): Promise<string> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
  const answer = await fetch(METALLB_MANIFESTS, { signal: limit }).catch((error: Error) => {
    signal.throwIfAborted()
    const why = (error.cause as Error | undefined)?.message ?? error.message
    throw new UsageError(
      `MetalLB's manifests can't be fetched from ${METALLB_MANIFESTS} (${why}): build the images from packages, which brings them`,
      { cause: error },
    )
  })
  if (!answer.ok) throw new Error(`${METALLB_MANIFESTS} answers ${answer.status}`)
  return answer.text()
}
