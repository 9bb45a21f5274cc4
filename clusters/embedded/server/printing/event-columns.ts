import { at, textAt } from '../json/access.ts'
import type { KubeObject } from '../registry/kube-object.ts'
import type { Column } from '../registry/resource.ts'
import { age, NAME } from './cells.ts'

const column = (name: string, description: string, cell: Column['cell'], priority = 0): Column => ({
  name,
  type: 'string',
  description,
  priority,
  cell,
})

/** The columns of events; `asCore` shows an event of another version as core/v1. */
export function eventColumns(asCore: (object: KubeObject) => KubeObject): readonly Column[] {
  const of =
    (cell: (event: KubeObject) => unknown): Column['cell'] =>
    (object) =>
      cell(asCore(object))
  return [
    column('Last Seen', 'When it was last seen.', of(lastSeen)),
    column(
      'Type',
      'Normal or Warning.',
      of((event) => textAt(event, 'type')),
    ),
    column(
      'Reason',
      'Why it was emitted.',
      of((event) => textAt(event, 'reason')),
    ),
    column('Object', 'What it is about.', of(involved)),
    column(
      'Subobject',
      'Which part of it.',
      of((event) => textAt(event, 'involvedObject', 'fieldPath')),
      1,
    ),
    column('Source', 'Who emitted it.', of(source), 1),
    column(
      'Message',
      'What happened.',
      of((event) => textAt(event, 'message').trim()),
    ),
    column('First Seen', 'When it was first seen.', of(firstSeen), 1),
    column('Count', 'How often it was seen.', of(seenTimes), 1),
    { ...NAME, priority: 1 },
  ]
}

function time(event: KubeObject, ...path: readonly string[]): string | undefined {
  const value = at(event, ...path)
  return typeof value === 'string' ? value : undefined
}

function firstSeen(event: KubeObject): string {
  return age(time(event, 'firstTimestamp') ?? time(event, 'eventTime'))
}

function lastSeen(event: KubeObject): string {
  const last = time(event, 'series', 'lastObservedTime') ?? time(event, 'lastTimestamp')
  return last === undefined ? firstSeen(event) : age(last)
}

function involved(event: KubeObject): string {
  const kind = textAt(event, 'involvedObject', 'kind').toLowerCase()
  const name = textAt(event, 'involvedObject', 'name')
  return name === '' ? kind : `${kind}/${name}`
}

function source(event: KubeObject): string {
  const component = textAt(event, 'source', 'component') || textAt(event, 'reportingComponent')
  const instance = textAt(event, 'source', 'host') || textAt(event, 'reportingInstance')
  return instance === '' ? component : `${component}, ${instance}`
}

function seenTimes(event: KubeObject): number {
  return Number(at(event, 'series', 'count') ?? at(event, 'count') ?? 1)
}
