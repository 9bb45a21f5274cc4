import { customRows } from '../custom/rows.ts'
import type { Names } from '../custom/schema.ts'
import { equal, listAt, objectAt, textAt } from '../json/access.ts'
import { removeStored } from '../registry/delete.ts'
import { type KubeObject, withMeta } from '../registry/kube-object.ts'
import type { Registry } from '../registry/registry.ts'
import type { Resource } from '../registry/resource.ts'
import { now } from '../schemas/time.ts'
import { CLEANUP } from '../strategies/definitions.ts'

const COLLECTION = 'apiextensions.k8s.io/customresourcedefinitions'
const NOW = { dryRun: false, uid: undefined, resourceVersion: undefined }

/** Accepts the names of custom resource definitions, serves their resources, and removes their objects with them. Returns how to stop. */
export function runDefinitionController(registry: Registry): () => void {
  const pending = new Set<string>()
  const cleaning = new Map<string, () => void>()
  let stopped = false
  const visit = (name: string): void => {
    if (pending.has(name)) return
    pending.add(name)
    setImmediate(() => {
      pending.delete(name)
      if (!stopped) reconcile(name)
    })
  }
  const stop = registry.store.follow(COLLECTION, (change) => {
    if (change.after === undefined) registry.serveCustom(change.key, [])
    visit(change.key)
    if (change.after === undefined) for (const stored of registry.store.list(COLLECTION)) visit(stored.key)
  })
  return () => {
    stopped = true
    stop()
    for (const end of cleaning.values()) end()
  }

  function reconcile(name: string): void {
    const stored = registry.store.get(COLLECTION, name)
    if (stored === undefined) {
      cleaning.get(name)?.()
      cleaning.delete(name)
      return
    }
    const definition = stored.object
    if (definition.metadata.deletionTimestamp !== undefined) cleanUp(name, definition)
    else establish(name, definition)
  }

  function establish(name: string, definition: KubeObject): void {
    const status = statusOf(registry, definition)
    const established = { ...definition, status }
    if (!equal(definition.status, status)) registry.store.put(COLLECTION, name, established)
    registry.serveCustom(name, isEstablished(established) ? customRows(established) : [])
  }

  function cleanUp(name: string, definition: KubeObject): void {
    if (!(definition.metadata.finalizers ?? []).includes(CLEANUP)) return
    const row = registry
      .resources()
      .find((each) => each.custom && each.collection === collectionOf(definition))
    if (row !== undefined && removeObjects(row) > 0) {
      // What finalizers hold back is waited for.
      if (!cleaning.has(name))
        cleaning.set(
          name,
          registry.store.follow(row.collection, () => visit(name)),
        )
      return
    }
    const finalizers = (definition.metadata.finalizers ?? []).filter((each) => each !== CLEANUP)
    if (finalizers.length === 0) registry.store.delete(COLLECTION, name)
    else registry.store.put(COLLECTION, name, withMeta(definition, { finalizers }))
  }

  function removeObjects(row: Resource): number {
    for (const stored of registry.store.list(row.collection)) {
      if (stored.object.metadata.deletionTimestamp === undefined) removeStored(registry, row, stored, NOW)
    }
    return registry.store.list(row.collection).length
  }
}

function collectionOf(definition: KubeObject): string {
  return `${textAt(definition, 'spec', 'group')}/${textAt(definition, 'spec', 'names', 'plural')}`
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string
  readonly reason: string
  readonly message: string
}

function statusOf(registry: Registry, definition: KubeObject): object {
  const taken = conflict(registry, definition)
  const old = listAt(definition, 'status', 'conditions') as readonly Condition[]
  const accepted =
    taken === undefined
      ? condition(old, 'NamesAccepted', 'True', 'NoConflicts', 'no conflicts found')
      : condition(old, 'NamesAccepted', 'False', taken.reason, taken.message)
  const wasEstablished = isEstablished(definition)
  const established =
    taken === undefined || wasEstablished
      ? condition(old, 'Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted')
      : condition(old, 'Established', 'False', 'NotAccepted', 'not all names are accepted')
  const others = old.filter(({ type }) => type !== 'NamesAccepted' && type !== 'Established')
  return {
    conditions: [accepted, established, ...others],
    acceptedNames:
      taken === undefined
        ? objectAt(definition, 'spec', 'names')
        : objectAt(definition, 'status', 'acceptedNames'),
    storedVersions: listAt(definition, 'status', 'storedVersions'),
  }
}

function condition(
  old: readonly Condition[],
  type: string,
  status: string,
  reason: string,
  message: string,
): Condition {
  const previous = old.find((each) => each.type === type)
  const lastTransitionTime = previous?.status === status ? previous.lastTransitionTime : now()
  return { type, status, lastTransitionTime, reason, message }
}

function isEstablished(definition: KubeObject): boolean {
  return listAt(definition, 'status', 'conditions').some(
    (each) => textAt(each, 'type') === 'Established' && textAt(each, 'status') === 'True',
  )
}

/** Which of its names another definition of the group already has. */
function conflict(
  registry: Registry,
  definition: KubeObject,
): { reason: string; message: string } | undefined {
  const group = textAt(definition, 'spec', 'group')
  const names = objectAt(definition, 'spec', 'names') as unknown as Names
  const others = registry.store
    .list(COLLECTION)
    .map((stored) => stored.object)
    .filter(
      (other) => other.metadata.name !== definition.metadata.name && textAt(other, 'spec', 'group') === group,
    )
    .map((other) => objectAt(other, 'status', 'acceptedNames') as unknown as Names)
  const resources = new Set(
    others.flatMap((other) => [other.plural, other.singular ?? '', ...(other.shortNames ?? [])]),
  )
  const kinds = new Set(others.flatMap((other) => [other.kind, other.listKind ?? '']))
  const checks: readonly [string, string | undefined, ReadonlySet<string>][] = [
    ['PluralConflict', names.plural, resources],
    ['SingularConflict', names.singular, resources],
    ...(names.shortNames ?? []).map((each): [string, string, ReadonlySet<string>] => [
      'ShortNamesConflict',
      each,
      resources,
    ]),
    ['KindConflict', names.kind, kinds],
    ['ListKindConflict', names.listKind, kinds],
  ]
  const found = checks.find(([, name, taken]) => name !== undefined && name !== '' && taken.has(name))
  return found === undefined
    ? undefined
    : { reason: found[0], message: `${JSON.stringify(found[1])} is already in use` }
}
