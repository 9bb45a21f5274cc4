import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { UsageError } from '../../src/contract/errors.ts'
import { expectedImages } from './from-packages/built-images.ts'
import { METALLB_MANIFESTS } from './versions.ts'

const LIMIT_MS = 60_000

/** Where MetalLB's own manifests are published, and the SHA-256 of their text in hexadecimal digits. */
export interface PinnedManifests {
  readonly url: string
  readonly sha256: string
}

/** MetalLB's own manifests: those of the build, where there was one; else from where they are published. */
export async function metallbManifests(signal: AbortSignal): Promise<string> {
  const { metallb } = await expectedImages()
  return readFile(metallb, 'utf8').catch(() => fetchMetallbManifests(signal))
}

/** MetalLB's own manifests from where it publishes them. Throws UsageError for any text but the one that is pinned. */
export async function fetchMetallbManifests(
  signal: AbortSignal,
  pinned: PinnedManifests = METALLB_MANIFESTS,
): Promise<string> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
  let text: string
  try {
    const answer = await fetch(pinned.url, { signal: limit })
    if (!answer.ok) throw new Error(`it answers ${answer.status}`)
    text = await answer.text()
  } catch (error) {
    signal.throwIfAborted()
    const why = ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message
    throw new UsageError(
      `MetalLB's manifests can't be fetched from ${pinned.url} (${why}): put them as metallb-native.yaml into the folder of --images, or build the images from packages, which brings them`,
      { cause: error },
    )
  }
  // They are applied as cluster administrator.
  requirePinned(text, pinned.url, pinned)
  return text
}

/** Throws UsageError where a text is not the pinned one. */
export function requirePinned(
  text: string,
  from: string,
  { sha256 }: Pick<PinnedManifests, 'sha256'> = METALLB_MANIFESTS,
): void {
  const found = createHash('sha256').update(text).digest('hex')
  if (found === sha256) return
  throw new UsageError(
    `What is in ${from} is not the text that is pinned of MetalLB's manifests: its SHA-256 is ${found}, expected ${sha256}`,
  )
}
