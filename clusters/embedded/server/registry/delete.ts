import { isObject, parseExact } from '../json/exact.ts'
import { decodeStruct } from '../schemas/decode.ts'
import { DecodeError } from '../schemas/decode-error.ts'
import { now } from '../schemas/time.ts'
import { badRequest, conflict, invalid, notFound, notImplemented } from '../status.ts'
import type { Stored } from '../store/stored.ts'
import { type FieldError, invalidValue, notSupported } from '../validation/field-error.ts'
import { type KubeObject, withMeta } from './kube-object.ts'
import { isTrue } from './list-options.ts'
import { checkDryRun, numberOf } from './options.ts'
import { type Outcome, servedObject, toServed } from './outcome.ts'
import type { Registry } from './registry.ts'
import { type Resource, reported } from './resource.ts'

/** metav1.DeleteOptions, as far as they mean something here. */
export interface DeleteOptions {
  readonly dryRun: boolean
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
}

/** Reads them from the body or, without one, from the query. Throws ApiError. */
export function deleteOptions(row: Resource, text: string, query: URLSearchParams): DeleteOptions {
  const given = text === '' ? fromQuery(query) : fromBody(text)
  const dryRun = (given.dryRun ?? []) as string[]
  const { propagationPolicy: policy, orphanDependents } = given
  const errors = [...checkPropagation(policy, orphanDependents), ...checkDryRun(dryRun)]
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors)
  if ((policy !== undefined && policy !== 'Background') || orphanDependents === true) {
    throw notImplemented(
      { verb: 'delete', resource: row.resource, field: 'propagationPolicy' },
      `there is no garbage collector yet that could honour ${String(policy ?? 'orphanDependents')}`,
    )
  }
  const preconditions = (given.preconditions ?? {}) as { uid?: string; resourceVersion?: string }
  return { dryRun: dryRun.length > 0, uid: preconditions.uid, resourceVersion: preconditions.resourceVersion }
}

const POLICIES = ['Foreground', 'Background', 'Orphan']

function checkPropagation(policy: unknown, orphanDependents: unknown): FieldError[] {
  const field = 'propagationPolicy'
  if (policy === undefined) return []
  return [
    ...(orphanDependents === undefined
      ? []
      : [invalidValue(field, policy, 'orphanDependents and deletionPropagation cannot be both set')]),
    ...(POLICIES.includes(String(policy)) ? [] : [notSupported(field, policy, [...POLICIES, 'nil'])]),
  ]
}

/** DELETE of one object. Throws ApiError. */
export function remove(
  registry: Registry,
  row: Resource,
  namespace: string | undefined,
  name: string,
  options: DeleteOptions,
): Outcome {
  const existing = registry.get(row, namespace, name)
  if (existing === undefined) throw notFound(reported(row), name)
  return removeStored(registry, row, existing, options)
}

/** The same for an object that was found, for deletecollection and namespaces. */
export function removeStored(
  registry: Registry,
  row: Resource,
  existing: Stored,
  options: DeleteOptions,
): Outcome {
  const object = servedObject(row, existing)
  const name = object.metadata.name ?? ''
  checkPreconditions(row, name, existing, options)
  row.strategy.admitDelete(object)
  const later = row.strategy.deletesLater(object)
  if ((object.metadata.finalizers ?? []).length === 0 && !later) {
    if (!options.dryRun) registry.store.delete(row.collection, existing.key)
    return { object: success(row, object) }
  }
  if (object.metadata.deletionTimestamp !== undefined) return toServed(row, existing)
  const marked = row.strategy.prepareForDelete(
    withMeta(object, {
      deletionTimestamp: now(),
      ...(later ? {} : { deletionGracePeriodSeconds: 0 }),
      ...(later || object.metadata.generation === undefined
        ? {}
        : { generation: object.metadata.generation + 1 }),
    }),
  )
  if (options.dryRun) return { object: marked }
  const stored = row.conversion === undefined ? marked : row.conversion.toStored(marked)
  return toServed(row, registry.store.put(row.collection, existing.key, stored))
}

function checkPreconditions(row: Resource, name: string, existing: Stored, options: DeleteOptions): void {
  const of = { group: reported(row).group, resource: row.kind }
  const { uid } = existing.object.metadata
  if (options.uid !== undefined && options.uid !== uid) {
    throw conflict(
      of,
      name,
      `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    )
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== String(existing.revision)) {
    throw conflict(
      of,
      name,
      `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${existing.revision}). The object might have been modified`,
    )
  }
}

function success(row: Resource, object: KubeObject): KubeObject {
  const details = {
    name: object.metadata.name,
    ...(row.group === '' ? {} : { group: row.group }),
    kind: row.resource,
    uid: object.metadata.uid,
  }
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
}

function fromBody(text: string): Record<string, unknown> {
  try {
    const value = parseExact(text)
    if (!isObject(value)) throw new DecodeError('expected an object')
    return decodeStruct('meta.DeleteOptions', value, [])
  } catch (error) {
    throw badRequest(
      `couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function fromQuery(query: URLSearchParams): Record<string, unknown> {
  const policy = query.get('propagationPolicy')
  numberOf(query, 'gracePeriodSeconds')
  return {
    dryRun: query.getAll('dryRun'),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(query.has('orphanDependents') ? { orphanDependents: isTrue(query.get('orphanDependents')) } : {}),
  }
}
