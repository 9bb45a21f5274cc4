import { equal } from '../json/access.ts'
import { badRequest, conflict, internalError, invalid, notFound } from '../status.ts'
import type { Stored } from '../store/stored.ts'
import { invalidValue } from '../validation/field-error.ts'
import { validateMetadataUpdate, validateStandardFinalizers } from '../validation/metadata.ts'
import { create, inNamespace } from './create.ts'
import { type KubeObject, withMeta } from './kube-object.ts'
import { type Outcome, servedObject, toServed } from './outcome.ts'
import type { Registry } from './registry.ts'
import { type Resource, reported, type Subresource } from './resource.ts'

export interface Target {
  readonly namespace: string | undefined
  readonly name: string
  readonly subresource: Subresource
}

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again'

/** PUT: replaces an object, or its half that the subresource stands for. Throws ApiError. */
export function update(
  registry: Registry,
  row: Resource,
  target: Target,
  given: KubeObject,
  options: { readonly dryRun: boolean },
): Outcome {
  checkName(target.name, given.metadata.name)
  const next = inNamespace(row, target.namespace, given)
  const existing = registry.get(row, target.namespace, target.name)
  if (existing === undefined) {
    if (!row.strategy.createOnUpdate || target.subresource !== '') throw notFound(reported(row), target.name)
    return create(registry, row, target.namespace, next, options)
  }
  const { uid } = next.metadata
  if (uid !== undefined && uid !== existing.object.metadata.uid) {
    throw conflict(reported(row), target.name, wrongUid(row, existing, uid))
  }
  return replace(registry, row, existing, next, target.subresource, options)
}

/** The common end of PUT and PATCH: what may change, what must not, and whether anything did. */
export function replace(
  registry: Registry,
  row: Resource,
  existing: Stored,
  given: KubeObject,
  subresource: Subresource,
  options: { readonly dryRun: boolean },
): Outcome {
  const previous = servedObject(row, existing)
  const name = previous.metadata.name ?? ''
  checkVersion(row, name, given.metadata.resourceVersion ?? '', existing.revision)
  const old = previous.metadata
  const prepared = row.strategy.prepareForUpdate(
    withMeta(given, { generation: old.generation }),
    previous,
    subresource,
  )
  const next = withMeta(prepared, {
    uid: prepared.metadata.uid ?? old.uid,
    creationTimestamp: old.creationTimestamp ?? prepared.metadata.creationTimestamp,
    deletionTimestamp: old.deletionTimestamp ?? prepared.metadata.deletionTimestamp,
    deletionGracePeriodSeconds:
      prepared.metadata.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds,
    resourceVersion: old.resourceVersion,
  })
  const metadataErrors = validateMetadataUpdate(next.metadata, old)
  const errors = [
    ...metadataErrors,
    // Kubernetes checks metadata twice, once for all kinds and once for this one, and lists both.
    ...metadataErrors,
    ...(row.custom ? [] : validateStandardFinalizers(next.metadata.finalizers)),
    ...row.strategy.validateUpdate(next, previous, subresource),
  ]
  if (errors.length > 0) throw invalid(reported(row), name, errors)
  // A client that writes the status has no say in the rest: it isn't warned of it.
  const warnings = subresource === '' ? row.strategy.warnings(next) : []
  if (equal(next, previous)) return { ...toServed(row, existing), warnings }
  const stored = row.conversion === undefined ? next : row.conversion.toStored(next)
  if (isFinished(next)) {
    if (!options.dryRun) registry.store.delete(row.collection, existing.key)
    return { object: next, warnings }
  }
  if (options.dryRun) return { object: next, warnings }
  return { ...toServed(row, registry.store.put(row.collection, existing.key, stored)), warnings }
}

/** Nothing holds an object back any more whose deletion has begun. */
function isFinished(object: KubeObject): boolean {
  return (
    object.metadata.deletionTimestamp !== undefined &&
    (object.metadata.finalizers ?? []).length === 0 &&
    (object.metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
    !(
      (object.spec as { finalizers?: unknown[] } | undefined)?.finalizers?.length &&
      object.kind === 'Namespace'
    )
  )
}

function checkName(url: string, given: string | undefined): void {
  if (given === undefined) {
    throw badRequest(`the name of the object (${url} based on URL) was undeterminable: name must be provided`)
  }
  if (given !== url)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${url})`)
}

function checkVersion(row: Resource, name: string, version: string, current: number): void {
  if (version === '' || version === '0') {
    if (row.strategy.unconditionalUpdate) return
    throw invalid({ group: reported(row).group, kind: row.resource }, name, [
      invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
    ])
  }
  if (!/^\d+$/.test(version)) {
    throw internalError(`strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`)
  }
  if (BigInt(version) !== BigInt(current)) throw conflict(reported(row), name, MODIFIED)
}

function wrongUid(row: Resource, existing: Stored, uid: string): string {
  const key = `/registry/${row.custom ? `${row.group}/${row.resource}` : row.resource}/${existing.key}`
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${existing.object.metadata.uid}`
}
