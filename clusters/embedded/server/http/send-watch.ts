import type { ServerResponse } from 'node:http'
import { metadataOnly, table } from '../printing/table.ts'
import { toServed } from '../registry/outcome.ts'
import { groupVersion, type Resource } from '../registry/resource.ts'
import type { Watch, WatchEvent } from '../registry/watch.ts'
import type { Presentation } from './present.ts'
import { standardHeaders } from './respond.ts'

const BOOKMARK_INTERVAL_MS = 60_000
/** A client that lets more than this pile up unread loses its watch and lists again. */
const BACKLOG_LIMIT = 64 * 1024 * 1024

/** Streams a watch until its time is over, the client goes, or the server closes. */
export function sendWatch(response: ServerResponse, row: Resource, watch: Watch, shape: Presentation): void {
  response.writeHead(200, { ...standardHeaders(), 'Content-Type': 'application/json' })
  response.flushHeaders()
  response.socket?.setNoDelay(true)
  const encode = encoder(row, shape)
  let latest = watch.options.revision ?? 0
  let stop = (): void => {}
  const timers: NodeJS.Timeout[] = []
  const end = (): void => {
    stop()
    for (const timer of timers) clearTimeout(timer)
    if (!response.writableEnded) response.end()
  }
  const emit = (event: WatchEvent): void => {
    if (response.writableEnded || response.destroyed) return
    if (event.type === 'ERROR') {
      response.write(`${JSON.stringify({ type: 'ERROR', object: event.error.status() })}\n`)
      end()
      return
    }
    latest = event.type === 'BOOKMARK' ? event.revision : event.stored.revision
    response.cork()
    for (const part of encode(event)) response.write(part)
    response.uncork()
    if (response.writableLength > BACKLOG_LIMIT) response.destroy()
  }
  response.once('close', end)
  for (const event of watch.initial) emit(event)
  if (response.writableEnded || response.destroyed) return
  stop = watch.follow(emit)
  if (watch.options.bookmarks) {
    const bookmark = (): void =>
      emit({ type: 'BOOKMARK', revision: watch.revision(), initialEventsEnd: false })
    timers.push(setInterval(() => latest < watch.revision() && bookmark(), BOOKMARK_INTERVAL_MS).unref())
  }
  const seconds = watch.options.timeoutSeconds
  // Without a limit of the client's Kubernetes ends a watch after 30 to 60 minutes, at random.
  const milliseconds =
    seconds === undefined || seconds <= 0 ? (30 + Math.random() * 30) * 60_000 : seconds * 1000
  timers.push(setTimeout(end, Math.min(milliseconds, 2 ** 31 - 1)).unref())
}

type Encode = (event: Exclude<WatchEvent, { type: 'ERROR' }>) => readonly (Buffer | string)[]

function encoder(row: Resource, shape: Presentation): Encode {
  let first = true
  return (event) => {
    if (event.type === 'BOOKMARK')
      return [`${JSON.stringify({ type: 'BOOKMARK', object: bookmark(row, shape, event) })}\n`]
    const { object, bytes } = toServed(row, event.stored)
    if (shape.as === 'object') {
      return [`{"type":"${event.type}","object":`, bytes ?? JSON.stringify(object), '}\n']
    }
    const { resourceVersion } = object.metadata
    const shown =
      shape.as === 'PartialObjectMetadata'
        ? metadataOnly(object)
        : table(row, [object], resourceVersion === undefined ? {} : { resourceVersion }, shape.include, first)
    first = false
    return [`${JSON.stringify({ type: event.type, object: shown })}\n`]
  }
}

function bookmark(
  row: Resource,
  shape: Presentation,
  event: { revision: number; initialEventsEnd: boolean },
): object {
  const metadata = {
    resourceVersion: String(event.revision),
    ...(event.initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
  }
  if (shape.as === 'PartialObjectMetadata') {
    return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }
  }
  return { kind: row.kind, apiVersion: groupVersion(row), metadata }
}
