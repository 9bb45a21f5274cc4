import { BroadcastChannel } from 'node:worker_threads'

let reason: string | undefined

// Workers share the cluster: what one of them could not put back is in the way of all.
const channel = new BroadcastChannel('poolwright-stop')
channel.unref()
channel.onmessage = ({ data }: { data: unknown }) => {
  if (typeof data === 'string') reason ??= data
}

/** No scenario begins any more, in no worker; each is skipped with this reason. */
export function stopRun(because: string): void {
  reason ??= because
  channel.postMessage(because)
}

/** Why no scenario begins any more; undefined as long as they do. */
export function stopReason(): string | undefined {
  return reason
}
