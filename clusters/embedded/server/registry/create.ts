import { randomUUID } from 'node:crypto'
import { now } from '../schemas/time.ts'
import { alreadyExists, badRequest, forbidden, internalError, invalid, notFound } from '../status.ts'
import { validateMetadata, validateStandardFinalizers } from '../validation/metadata.ts'
import { pathSegment } from '../validation/names.ts'
import { randomSuffix } from './generate-name.ts'
import { type KubeObject, withMeta } from './kube-object.ts'
import { type Outcome, toServed } from './outcome.ts'
import type { Registry } from './registry.ts'
import { type Resource, reported } from './resource.ts'

const NAMESPACES = { group: '', resource: 'namespaces' }

/** Stores a new object. Throws ApiError. */
export function create(
  registry: Registry,
  row: Resource,
  namespace: string | undefined,
  given: KubeObject,
  options: { readonly dryRun: boolean },
): Outcome {
  const placed = inNamespace(row, namespace, given)
  if (namespace !== undefined) admitIntoNamespace(registry, row, namespace, placed)
  const { strategy } = row
  const initial = withMeta(placed, {
    name: placed.metadata.name ?? generatedName(registry, row, namespace, placed),
    uid: randomUUID(),
    creationTimestamp: now(),
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  })
  const object = strategy.prepareForCreate(initial)
  const errors = [
    ...validateMetadata(object, row.namespaced, strategy.checkName),
    ...(row.custom ? [] : validateStandardFinalizers(object.metadata.finalizers)),
    ...strategy.validate(object),
  ]
  if (errors.length > 0) throw invalid(reported(row), object.metadata.name ?? '', errors)
  const segment = pathSegment(object.metadata.name ?? '')
  if (segment.length > 0) throw badRequest(segment.join(', '))
  if (given.metadata.resourceVersion !== undefined) {
    throw internalError('resourceVersion should not be set on objects to be created')
  }
  const name = object.metadata.name ?? ''
  const existing = registry.get(row, namespace, name)
  if (existing !== undefined) {
    throw alreadyExists(reported(row), name, existing.object.metadata.deletionTimestamp !== undefined)
  }
  const stored = row.conversion === undefined ? object : row.conversion.toStored(object)
  const warnings = strategy.warnings(object)
  if (options.dryRun) return { object, warnings, created: true }
  return { ...toServed(row, registry.put(row, stored)), warnings, created: true }
}

/** The object with the namespace of the request. Throws ApiError 400 where it names another. */
export function inNamespace(row: Resource, namespace: string | undefined, object: KubeObject): KubeObject {
  const named = object.metadata.namespace ?? ''
  if (named !== '' && named !== (namespace ?? '')) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  return row.namespaced ? withMeta(object, { namespace }) : object
}

/** As the NamespaceLifecycle admission plugin: nothing is created in a namespace that is missing or on its way out. */
function admitIntoNamespace(registry: Registry, row: Resource, namespace: string, object: KubeObject): void {
  const found = registry.store.get('namespaces', namespace)
  if (found === undefined) throw notFound(NAMESPACES, namespace)
  if (found.object.metadata.deletionTimestamp === undefined) return
  throw forbidden(
    reported(row),
    object.metadata.name ?? '',
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  )
}

function generatedName(
  registry: Registry,
  row: Resource,
  namespace: string | undefined,
  object: KubeObject,
): string | undefined {
  const prefix = object.metadata.generateName
  if (prefix === undefined) return undefined
  for (let attempt = 0; attempt < 8; attempt++) {
    const name = prefix.slice(0, 58) + randomSuffix()
    if (registry.get(row, namespace, name) === undefined) return name
  }
  throw alreadyExists(reported(row), prefix)
}
