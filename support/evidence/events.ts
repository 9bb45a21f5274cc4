import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { collectionPath } from '../../src/kube/paths.ts'
import { textTable } from './text-table.ts'

interface Event extends KubernetesObject {
  type?: string
  reason?: string
  message?: string
  involvedObject?: { kind?: string; name?: string }
  count?: number
  /** Absent where it was written through events.k8s.io, which tells the time of the first alone. */
  lastTimestamp?: string | null
  eventTime?: string | null
}

const SHOWN = 50

/** The events of a namespace as a table, the latest last; undefined where there are none, or they can't be read. */
export async function eventsTable(
  kube: KubeClient,
  namespace: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = collectionPath('v1', 'events', namespace)
  const events = await listAll<Event>(kube, { path, signal }).catch(() => undefined)
  if (!events?.objects.length) return undefined
  const rows = events.objects
    .toSorted((one, other) => lastSeen(one).localeCompare(lastSeen(other)))
    .slice(-SHOWN)
    .map((event) => [
      lastSeen(event),
      String(event.count ?? 1),
      event.type ?? '',
      event.reason ?? '',
      `${event.involvedObject?.kind}/${event.involvedObject?.name}`,
      event.message ?? '',
    ])
  return textTable(['last seen', 'times', 'type', 'reason', 'object', 'message'], rows)
}

function lastSeen({ lastTimestamp, eventTime, metadata }: Event): string {
  return lastTimestamp ?? eventTime ?? metadata?.creationTimestamp ?? ''
}
