import { BroadcastChannel, isMainThread } from 'node:worker_threads'

/** What the command line sends over IPC to end a run early, and what the main thread passes on to its workers. */
export interface AbortMessage {
  readonly type: 'abort'
  readonly reason: string
}

const controller = new AbortController()

/**
 * Aborts when the run is interrupted, in Cucumber's main thread and in each of its workers. Hooks and steps hand it to
 * every wait; a Before hook that finds it aborted returns 'skipped', so that hooks run and every report is complete.
 */
export const runSignal: AbortSignal = controller.signal

// Workers get neither signals nor the command line's IPC; a broadcast reaches all of them.
const channel = new BroadcastChannel('poolwright-abort')
channel.unref()
channel.onmessage = ({ data }: { data: unknown }) => {
  if (isAbort(data)) abort(data.reason)
  // A worker that started after the broadcast asks, or it would never hear of it.
  else if (isMainThread && runSignal.aborted) channel.postMessage(message())
}

if (isMainThread) {
  process.on('message', (received: unknown) => {
    if (isAbort(received)) abortEverywhere(received.reason)
  })
  // The command line is gone, however it ended: there is nobody left to report to.
  process.on('disconnect', () => abortEverywhere('the command line ended'))
  process.channel?.unref()
} else channel.postMessage({ type: 'started' })

function abortEverywhere(reason: string): void {
  abort(reason)
  channel.postMessage(message())
}

function abort(reason: string): void {
  controller.abort(new Error(`The run was interrupted: ${reason}`))
}

function message(): AbortMessage {
  return { type: 'abort', reason: reasonOf(runSignal.reason) }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^The run was interrupted: /, '') : String(error)
}

function isAbort(data: unknown): data is AbortMessage {
  return (
    typeof data === 'object' && data !== null && 'type' in data && data.type === 'abort' && 'reason' in data
  )
}
