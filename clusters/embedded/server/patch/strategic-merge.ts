import { equal, own, setOwn } from '../json/access.ts'
import { isObject, type JsonObject } from '../json/exact.ts'
import { type Field, structFields, type TypeRef } from '../schemas/types.ts'
import { mergeObjectLists, mergeScalarLists } from './merge-lists.ts'
import { StrategicMergeError } from './strategic-merge-error.ts'

const DELETE_FROM = '$deleteFromPrimitiveList/'
const SET_ORDER = '$setElementOrder/'

/**
 * Kubernetes' strategic merge patch of a struct such as `apps.Deployment`: lists whose fields say so are merged by their key, and
 * `$patch`, `$retainKeys`, `$deleteFromPrimitiveList` and `$setElementOrder` are obeyed. Throws StrategicMergeError.
 */
export function applyStrategicMerge(struct: string, target: JsonObject, patch: JsonObject): JsonObject {
  return mergeObjects({ of: 'struct', name: struct }, target, patch)
}

/** Merges two objects of one type; exported for the lists that hold them. */
export function mergeObjects(type: TypeRef | undefined, target: JsonObject, patch: JsonObject): JsonObject {
  const directive = own(patch, '$patch')
  if (directive === 'replace') return withoutDirectives(type, { ...patch, $patch: undefined })
  if (directive === 'delete') return {}
  if (directive !== undefined && directive !== 'merge') {
    throw new StrategicMergeError(`Unknown patch type found: ${String(directive)}`)
  }
  const result = retained(target, own(patch, '$retainKeys'))
  for (const [key, value] of Object.entries(patch)) {
    if (key === '$patch' || key === '$retainKeys' || key.startsWith(SET_ORDER)) continue
    if (key.startsWith(DELETE_FROM)) {
      const list = key.slice(DELETE_FROM.length)
      const present = own(result, list)
      if (Array.isArray(present) && Array.isArray(value)) {
        setOwn(
          result,
          list,
          present.filter((item) => !value.some((gone) => equal(gone, item))),
        )
      }
      continue
    }
    if (value === null) {
      delete result[key]
      continue
    }
    setOwn(result, key, mergeValues(type, key, own(result, key), value, own(patch, SET_ORDER + key)))
  }
  for (const key of Object.keys(patch)) {
    const list = key.slice(SET_ORDER.length)
    if (!key.startsWith(SET_ORDER) || Object.hasOwn(patch, list)) continue
    const present = own(result, list)
    if (Array.isArray(present)) setOwn(result, list, mergeValues(type, list, present, [], patch[key]))
  }
  return result
}

function mergeValues(
  type: TypeRef | undefined,
  key: string,
  target: unknown,
  patch: unknown,
  order: unknown,
): unknown {
  const field = fieldOf(type, key, patch)
  if (isObject(patch)) {
    const inner = field === undefined ? undefined : behindPointers(field.type)
    return isObject(target) ? mergeObjects(inner, target, patch) : withoutDirectives(inner, patch)
  }
  if (!Array.isArray(patch) || field?.merge !== true) return patch
  const list = behindPointers(field.type)
  const items = list.of === 'list' ? behindPointers(list.items) : undefined
  const present = Array.isArray(target) ? target : []
  const listed = order === undefined ? undefined : asOrder(order)
  return field.mergeKey === undefined
    ? mergeScalarLists(present, patch, listed)
    : mergeObjectLists(items, field.mergeKey, present, patch, listed)
}

function asOrder(order: unknown): readonly unknown[] {
  if (Array.isArray(order)) return order
  throw new StrategicMergeError('$setElementOrder must be a list')
}

/** A patch that meets nothing to merge with: its directives are obeyed against emptiness and left out, and so are its nulls. */
function withoutDirectives(type: TypeRef | undefined, patch: JsonObject): JsonObject {
  const { $patch: _directive, ...rest } = patch
  return mergeObjects(type, {}, rest)
}

function retained(target: JsonObject, keys: unknown): JsonObject {
  if (keys === undefined) return { ...target }
  if (!Array.isArray(keys)) throw new StrategicMergeError('$retainKeys must be a list')
  const result: JsonObject = {}
  for (const key of Object.keys(target)) if (keys.includes(key)) setOwn(result, key, target[key])
  return result
}

function fieldOf(type: TypeRef | undefined, key: string, value: unknown): Field | undefined {
  if (type === undefined || typeof value !== 'object') return undefined
  if (type.of === 'map') return { type: type.values, omit: 'never', merge: false, retainKeys: false }
  if (type.of !== 'struct') return undefined
  return structFields(type.name).get(key)
}

function behindPointers(type: TypeRef): TypeRef {
  return type.of === 'pointer' ? behindPointers(type.to) : type
}
