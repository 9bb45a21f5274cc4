import { createInterface } from 'node:readline'
import { isObject, type Json, parseExact } from '../exact-json.ts'
import type { RequestStep, VectorRequest } from '../vector.ts'
import type { StepResult, WatchAnswer } from './answer.ts'
import { headersOf, readAnswer, type Target } from './target.ts'

/** Seconds beyond its own timeoutSeconds that a server on a busy machine gets to end a watch. */
const GRACE_SECONDS = 15
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'

export interface WatchOptions {
  readonly target: Target
  readonly signal: AbortSignal
  /** Runs while the watch is open. */
  readonly during: () => Promise<void>
}

/**
 * Collects a watch's events until the server ends it. A watch that asks for no timeoutSeconds is left after the
 * recorder's own limit; one that asks for it and goes on for ever has failed.
 */
export async function watch(
  request: VectorRequest,
  step: RequestStep,
  { target, signal, during }: WatchOptions,
): Promise<WatchAnswer | StepResult> {
  const asked = new URL(request.path, 'http://localhost').searchParams.get('timeoutSeconds')
  const seconds = asked === null ? Number(step.seconds ?? 5) : Number(asked) + GRACE_SECONDS
  const limit = AbortSignal.timeout(seconds * 1000)
  const message = await target.open(request, AbortSignal.any([signal, limit]))
  if (message.statusCode !== 200) return await readAnswer(message)
  const events: Json[] = []
  const running = during()
  try {
    for await (const line of createInterface({ input: message, crlfDelay: Number.POSITIVE_INFINITY }))
      if (line.trim() !== '') events.push(parseExact(line))
  } catch (error) {
    if (!limit.aborted) throw error
  }
  signal.throwIfAborted()
  await running
  if (limit.aborted && asked !== null)
    return {
      kind: 'failed',
      expected: `the watch to end after ${asked} s`,
      found: `still open after ${seconds} s`,
    }
  const kept = step.keepBookmarks ? events : events.filter((event) => !isPlainBookmark(event))
  return { status: message.statusCode, headers: headersOf(message), body: null, events: kept }
}

/** One that only tells a version; the one that ends the initial events says something. */
function isPlainBookmark(event: Json): boolean {
  if (!isObject(event) || event.type !== 'BOOKMARK' || !isObject(event.object)) return false
  const { metadata } = event.object
  const annotations = isObject(metadata) ? metadata.annotations : undefined
  return !(isObject(annotations) && Object.hasOwn(annotations, INITIAL_EVENTS_END))
}
