import { at, equal, textAt } from '../json/access.ts'
import type { KubeObject } from '../registry/kube-object.ts'
import type { Strategy } from '../registry/resource.ts'
import { decodeStruct } from '../schemas/decode.ts'
import { type FieldError, invalidValue, required } from '../validation/field-error.ts'
import { qualifiedName, subdomain } from '../validation/names.ts'
import { strategy } from './strategy.ts'

/** Events of core/v1: old clients are let through with little. */
export const coreEvents = strategy({
  checkName: () => [],
  createOnUpdate: true,
  validate: (object) => validateAny(object, 'reportingComponent'),
  validateUpdate: (next) => validateAny(next, 'reportingComponent'),
})

/** The same objects under events.k8s.io/v1, which is strict. */
export const newEvents: Strategy = strategy({
  createOnUpdate: true,
  validate: (object) => {
    const event = toCoreEvent(object)
    return [...validateAny(event, 'reportingController'), ...validateNew(event)]
  },
  validateUpdate: (next, previous) => {
    const [event, old] = [toCoreEvent(next), toCoreEvent(previous)]
    return [
      ...validateAny(event, 'reportingController'),
      ...(equal(event.series, old.series) ? [] : validateSeries(event)),
      ...FIXED.filter((field) => !equal(event[field], old[field])).map((field) =>
        invalidValue(
          field === 'reportingComponent' ? 'reportingController' : field,
          event[field],
          'field is immutable',
        ),
      ),
    ]
  },
})

const FIXED = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
]

/** Field of events.k8s.io/v1 → field of core/v1, where they are stored. */
const RENAMED: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  reportingController: 'reportingComponent',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
}

const RENAMED_BACK = Object.fromEntries(Object.entries(RENAMED).map(([from, to]) => [to, from]))

export function toCoreEvent(object: KubeObject): KubeObject {
  return renamed(object, RENAMED, 'core.Event', 'v1')
}

export function fromCoreEvent(object: KubeObject): KubeObject {
  return renamed(object, RENAMED_BACK, 'events.Event', 'events.k8s.io/v1')
}

function renamed(
  object: KubeObject,
  names: Readonly<Record<string, string>>,
  struct: string,
  apiVersion: string,
): KubeObject {
  const entries = Object.entries(object).map(([key, value]) => [names[key] ?? key, value])
  const { metadata: _metadata, ...rest } = decodeStruct(
    struct,
    { ...Object.fromEntries(entries), apiVersion },
    [],
  )
  const { kind, apiVersion: version, ...fields } = rest
  return { kind: String(kind), apiVersion: String(version), metadata: object.metadata, ...fields }
}

function validateAny(event: KubeObject, controllerField: string): FieldError[] {
  const errors = isTimed(event) ? validateTimed(event, controllerField) : validateUntimed(event)
  const namespace = event.metadata.namespace ?? ''
  return [...errors, ...subdomain(namespace).map((message) => invalidValue('namespace', namespace, message))]
}

function isTimed(event: KubeObject): boolean {
  return typeof event.eventTime === 'string'
}

function validateUntimed(event: KubeObject): FieldError[] {
  const namespace = event.metadata.namespace ?? ''
  const involved = textAt(event, 'involvedObject', 'namespace')
  const agrees = involved === '' ? namespace === '' || namespace === 'default' : namespace === involved
  return agrees ? [] : [invalidValue('involvedObject.namespace', involved, 'does not match event.namespace')]
}

function validateTimed(event: KubeObject, controllerField: string): FieldError[] {
  const errors: FieldError[] = []
  const involved = textAt(event, 'involvedObject', 'namespace')
  if (involved === '' && !['default', 'kube-system'].includes(event.metadata.namespace ?? '')) {
    errors.push(invalidValue('involvedObject.namespace', involved, 'does not match event.namespace'))
  }
  const controller = textAt(event, 'reportingComponent')
  if (controller === '') errors.push(required(controllerField))
  errors.push(
    ...qualifiedName(controller).map((message) => invalidValue(controllerField, controller, message)),
  )
  for (const [field, limit] of [
    ['reportingInstance', 128],
    ['action', 128],
    ['reason', 128],
    ['message', 1024],
  ] as const) {
    const value = textAt(event, field)
    if (value === '' && field !== 'message') errors.push(required(field))
    if (Buffer.byteLength(value) > limit)
      errors.push(invalidValue(field, '', `can have at most ${limit} characters`))
  }
  return errors
}

function validateNew(event: KubeObject): FieldError[] {
  const type = textAt(event, 'type')
  const unset = (field: string, isSet: boolean): FieldError[] =>
    isSet ? [invalidValue(field, '', 'needs to be unset')] : []
  return [
    ...validateSeries(event),
    ...(isTimed(event) ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning'
      ? []
      : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...unset('firstTimestamp', typeof event.firstTimestamp === 'string'),
    ...unset('lastTimestamp', typeof event.lastTimestamp === 'string'),
    ...unset('count', event.count !== undefined),
    ...unset('source', textAt(event, 'source', 'component') !== '' || textAt(event, 'source', 'host') !== ''),
  ]
}

function validateSeries(event: KubeObject): FieldError[] {
  if (event.series === undefined) return []
  const count = at(event, 'series', 'count')
  return [
    ...(typeof count === 'number' && count >= 2
      ? []
      : [invalidValue('series.count', '', 'should be at least 2')]),
    ...(typeof at(event, 'series', 'lastObservedTime') === 'string'
      ? []
      : [required('series.lastObservedTime')]),
  ]
}
