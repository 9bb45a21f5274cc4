import { equal, own } from '../json/access.ts'
import { isObject, type JsonObject } from '../json/exact.ts'
import type { TypeRef } from '../schemas/types.ts'
import { mergeObjects } from './strategic-merge.ts'
import { StrategicMergeError } from './strategic-merge-error.ts'

/** Strategic merge of a list of scalars that is a set: what is new is added. */
export function mergeScalarLists(
  target: readonly unknown[],
  patch: readonly unknown[],
  order: unknown,
): unknown[] {
  const merged = [...target, ...patch.filter((item) => !target.some((present) => equal(present, item)))]
  const seen = merged.filter((item, index) => merged.findIndex((other) => equal(other, item)) === index)
  return ordered(seen, order, (item) => item)
}

/** Strategic merge of a list of objects that are told apart by one field. Throws StrategicMergeError. */
export function mergeObjectLists(
  type: TypeRef | undefined,
  mergeKey: string,
  target: readonly unknown[],
  patch: readonly unknown[],
  order: unknown,
): unknown[] {
  if (patch.some((item) => isObject(item) && own(item, '$patch') === 'replace')) {
    return patch.filter((item) => !(isObject(item) && Object.hasOwn(item, '$patch')))
  }
  const result = [...target]
  for (const item of patch) {
    const object = asObject(item)
    const key = keyOf(object, mergeKey)
    const at = result.findIndex((present) => isObject(present) && equal(own(present, mergeKey), key))
    if (own(object, '$patch') === 'delete') {
      if (at !== -1) result.splice(at, 1)
    } else if (at === -1) result.push(mergeObjects(type, {}, object))
    else result[at] = mergeObjects(type, result[at] as JsonObject, object)
  }
  return ordered(result, order, (item) => (isObject(item) ? own(item, mergeKey) : item), mergeKey)
}

/** Puts the items that the client listed into its order; others keep their places relative to their neighbours. */
function ordered(
  items: unknown[],
  order: unknown,
  keyed: (item: unknown) => unknown,
  mergeKey?: string,
): unknown[] {
  if (!Array.isArray(order)) return items
  const wanted = order.map((each) => (mergeKey !== undefined && isObject(each) ? own(each, mergeKey) : each))
  const place = (item: unknown): number => wanted.findIndex((key) => equal(key, keyed(item)))
  const listed = items.filter((item) => place(item) !== -1).sort((left, right) => place(left) - place(right))
  const result: unknown[] = []
  for (const item of items) {
    if (place(item) === -1) result.push(item)
    else {
      const next = listed.shift()
      if (next !== undefined) result.push(next)
    }
  }
  return result
}

function asObject(item: unknown): JsonObject {
  if (!isObject(item)) throw new StrategicMergeError('expected a list of objects')
  return item
}

function keyOf(item: JsonObject, mergeKey: string): unknown {
  const key = own(item, mergeKey)
  if (key !== undefined) return key
  const shown = Object.entries(item).map(
    ([name, value]) => `${name}:${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  )
  throw new StrategicMergeError(
    `map: map[${shown.sort().join(' ')}] does not contain declared merge key: ${mergeKey}`,
  )
}
