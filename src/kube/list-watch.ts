import type { IncomingMessage } from 'node:http'
import type { KubernetesObject, Status } from '../contract/kubernetes.ts'
import { ApiStatusError } from './api-status-error.ts'
import { BackOff } from './back-off.ts'
import type { KubeClient, KubeRequest } from './client.ts'
import { listAll } from './list.ts'
import { streamLines } from './stream-lines.ts'

/**
 * What a list-watch says, in order. LISTED replaces all that was known; it comes first and after every GAP. A GAP
 * means that changes after `resourceVersion` may have been missed: whoever proves something "at every moment"
 * has not proved it.
 */
export type WatchItem<T> =
  | { readonly type: 'LISTED'; readonly objects: readonly T[]; readonly resourceVersion: string }
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T; readonly resourceVersion: string }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }
  | { readonly type: 'GAP'; readonly reason: string; readonly resourceVersion: string }

export interface ListWatchOptions {
  /** The collection, `/api/v1/nodes`. */
  readonly path: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Ends the iteration, quietly. */
  readonly signal: AbortSignal
  /** Watch from this version on instead of listing first. */
  readonly resourceVersion?: string
  /** Milliseconds of silence after which a connection is taken for dead and resumed. Default 90,000: the API sends bookmarks about once a minute. */
  readonly idleMs?: number
  /** Milliseconds before the second try in a row; doubles up to `maxDelayMs`. Default 100. */
  readonly baseDelayMs?: number
  /** Default 10,000. */
  readonly maxDelayMs?: number
  /** Told of every failure that the list-watch got over, or will. */
  readonly onTrouble?: (error: unknown, delayMs: number) => void
}

/**
 * Lists a collection, then follows it from the version listed, for as long as the signal lets it: whatever the
 * server does, it resumes from the last version seen. Exceptions of the consumer are the consumer's own: leaving
 * the loop closes the connection.
 */
export async function* listWatch<T extends KubernetesObject>(
  client: KubeClient,
  options: ListWatchOptions,
): AsyncGenerator<WatchItem<T>, void, undefined> {
  const { signal } = options
  const backOff = new BackOff(options.baseDelayMs ?? 100, options.maxDelayMs ?? 10_000)
  let version = options.resourceVersion
  while (!signal.aborted) {
    let failure: unknown
    try {
      if (version === undefined) {
        const list = await listAll<T>(client, options)
        version = list.resourceVersion
        yield { type: 'LISTED', objects: list.objects, resourceVersion: version }
      }
      for await (const item of watchOnce<T>(client, options, version)) {
        version = item.resourceVersion
        backOff.reset()
        yield item
      }
    } catch (error) {
      failure = error
    }
    if (signal.aborted) return
    if (version !== undefined && historyIsLost(failure)) {
      yield { type: 'GAP', reason: (failure as Error).message, resourceVersion: version }
      version = undefined
    }
    const delayMs = backOff.next()
    if (failure !== undefined) options.onTrouble?.(failure, delayMs)
    await backOff.wait(delayMs, signal)
  }
}

/** One connection, until the server ends it, it falls silent, or it breaks. */
async function* watchOnce<T extends KubernetesObject>(
  client: KubeClient,
  options: ListWatchOptions,
  from: string,
): AsyncGenerator<Exclude<WatchItem<T>, { type: 'LISTED' | 'GAP' }>> {
  const idleMs = options.idleMs ?? 90_000
  const idle = new AbortController()
  const open = (): Promise<IncomingMessage> =>
    client.stream(watchRequest(options, from), AbortSignal.any([options.signal, idle.signal]))
  const answer = await within(idleMs, idle, open)
  try {
    const lines = streamLines(answer)
    let version = from
    while (true) {
      const { value: line, done } = await within(idleMs, idle, () => lines.next())
      if (done) return
      const event = JSON.parse(line) as { type: string; object: T }
      if (event.type === 'ERROR') throw watchError(options.path, event.object as unknown as Status)
      version = event.object.metadata?.resourceVersion ?? version
      if (event.type === 'BOOKMARK') yield { type: 'BOOKMARK', resourceVersion: version }
      else if (event.type === 'ADDED' || event.type === 'MODIFIED' || event.type === 'DELETED')
        yield { type: event.type, object: event.object, resourceVersion: version }
      else throw new Error(`watch of ${options.path}: unknown event type ${JSON.stringify(event.type)}`)
    }
  } finally {
    answer.destroy()
  }
}

function watchRequest(options: ListWatchOptions, from: string): KubeRequest {
  return {
    path: options.path,
    query: {
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: from,
      labelSelector: options.labelSelector,
      fieldSelector: options.fieldSelector,
      // Spread, so that many watches started together don't all end together; as client-go does.
      timeoutSeconds: 300 + Math.floor(Math.random() * 300),
    },
  }
}

/** The silence that is counted is the server's alone: a slow consumer does not make a connection look dead. */
async function within<R>(idleMs: number, idle: AbortController, step: () => Promise<R>): Promise<R> {
  const timer = setTimeout(() => idle.abort(new Error(`silent for ${idleMs} ms`)), idleMs)
  try {
    return await step()
  } catch (error) {
    throw idle.signal.aborted ? idle.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

function watchError(path: string, status: Status): ApiStatusError {
  return new ApiStatusError(`watch of ${path}`, status.code ?? 500, status)
}

/** 410, or a version from the future of this server: it has another history than the one we followed. */
function historyIsLost(error: unknown): boolean {
  if (!(error instanceof ApiStatusError)) return false
  return (
    error.code === 410 ||
    (error.status.details?.causes ?? []).some((cause) => cause.reason === 'ResourceVersionTooLarge')
  )
}
