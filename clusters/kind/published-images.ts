/**
 * What is pulled where image registries are in reach. Digests are those that a source gives; where none does, the tag
 * alone is the pin.
 */

import { UsageError } from '../../src/contract/errors.ts'
import { PROGRAM_VERSIONS } from './versions.ts'

/** Digest: release notes of kind v0.33.0, the kind that this image was made for. */
export const PUBLISHED_NODE_IMAGE =
  'kindest/node:v1.36.4@sha256:099e049362a1526b2db71494e1947aae99bd16290d7c895f2b7ea312e3cbfaed'

const METALLB_VERSION = PROGRAM_VERSIONS['go.universe.tf/metallb']

/** Loaded into the nodes, which never pull. */
export const PUBLISHED_PART_IMAGES = [
  `quay.io/metallb/controller:${METALLB_VERSION}`,
  `quay.io/metallb/speaker:${METALLB_VERSION}`,
]

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
