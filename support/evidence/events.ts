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
}

const SHOWN = 50

/** The events of a namespace as a table; undefined where there are none, or they can't be read. */
export async function eventsTable(
  kube: KubeClient,
  namespace: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = collectionPath('v1', 'events', namespace)
  const events = await listAll<Event>(kube, { path, signal }).catch(() => undefined)
  if (!events?.objects.length) return undefined
  const rows = events.objects
    .slice(-SHOWN)
    .map(({ type = '', reason = '', message = '', involvedObject }) => [
      type,
      reason,
      `${involvedObject?.kind}/${involvedObject?.name}`,
      message,
    ])
  return textTable(['type', 'reason', 'object', 'message'], rows)
}
