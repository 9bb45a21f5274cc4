import { textAt } from '../json/access.ts'
import { eventColumns } from '../printing/event-columns.ts'
import { builtIn } from '../registry/built-in.ts'
import type { KubeObject } from '../registry/kube-object.ts'
import type { Resource } from '../registry/resource.ts'
import { coreEvents, fromCoreEvent, newEvents, toCoreEvent } from '../strategies/events.ts'

const OBJECT_FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

type Readers = Record<string, (object: KubeObject) => string>

/** Events under both of their groups: one collection, kept as core/v1. */
export const EVENTS: readonly Resource[] = [
  builtIn({
    group: '',
    version: 'v1',
    resource: 'events',
    kind: 'Event',
    struct: 'core.Event',
    namespaced: true,
    shortNames: ['ev'],
    strategy: coreEvents,
    columns: eventColumns((object) => object),
    selectableFields: {
      ...objectFields('involvedObject', 'involvedObject'),
      reason: (event) => textAt(event, 'reason'),
      reportingComponent: (event) => textAt(event, 'reportingComponent'),
      source: (event) => textAt(event, 'source', 'component') || textAt(event, 'reportingComponent'),
      type: (event) => textAt(event, 'type'),
    },
  }),
  builtIn({
    group: 'events.k8s.io',
    reportedGroup: '',
    version: 'v1',
    resource: 'events',
    kind: 'Event',
    struct: 'events.Event',
    namespaced: true,
    shortNames: ['ev'],
    collection: 'events',
    conversion: { toStored: toCoreEvent, fromStored: fromCoreEvent },
    strategy: newEvents,
    columns: eventColumns(toCoreEvent),
    selectableFields: {
      ...objectFields('regarding', 'regarding'),
      reason: (event) => textAt(event, 'reason'),
      reportingController: (event) => textAt(event, 'reportingController'),
      type: (event) => textAt(event, 'type'),
    },
  }),
]

function objectFields(prefix: string, field: string): Readers {
  return Object.fromEntries(
    OBJECT_FIELDS.map((each) => [`${prefix}.${each}`, (event: KubeObject) => textAt(event, field, each)]),
  )
}
