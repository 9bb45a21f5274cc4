import { equal, own } from '../json/access.ts'
import { isObject, type JsonObject } from '../json/exact.ts'
import { valueKey } from '../json/value-key.ts'
import type { TypeRef } from '../schemas/types.ts'
import { inElementOrder } from './element-order.ts'
import { mergeObjects } from './strategic-merge.ts'
import { StrategicMergeError } from './strategic-merge-error.ts'

/** Strategic merge of a list of scalars that is a set: what is new is added. */
export function mergeScalarLists(
  target: readonly unknown[],
  patch: readonly unknown[],
  order: readonly unknown[] | undefined,
): unknown[] {
  const itself = (item: unknown): unknown => item
  const all = [...target, ...patch]
  const set = [...new Map(all.map((item) => [valueKey(item), item])).values()]
  const merged = inElementOrder(set, patch, target, itself)
  if (order === undefined) return merged
  checkOrder(patch, order, itself)
  return inElementOrder(merged, order, target, itself)
}

/** Strategic merge of a list of objects that are told apart by one field. Throws StrategicMergeError. */
export function mergeObjectLists(
  type: TypeRef | undefined,
  mergeKey: string,
  target: readonly unknown[],
  patch: readonly unknown[],
  order: readonly unknown[] | undefined,
): unknown[] {
  const keyed = (item: unknown): unknown => keyOf(asObject(item), mergeKey)
  if (order !== undefined) checkOrder(patch, order, keyed)
  const directed = patch.map((item) => ({ item: asObject(item), directive: directiveOf(asObject(item)) }))
  const wanted = directed.filter(({ directive }) => directive === undefined).map(({ item }) => item)
  const deleted = directed.filter(({ directive }) => directive === 'delete')
  const gone = new Set(deleted.map(({ item }) => valueKey(keyed(item))))
  const replaced = directed.some(({ directive }) => directive === 'replace')
  const kept = replaced ? [] : target.filter((item) => gone.size === 0 || !gone.has(valueKey(keyed(item))))
  const all = mergeWanted(type, kept, wanted, keyed)
  const merged = inElementOrder(all, wanted, kept, keyed)
  if (order === undefined) return merged
  // By then Kubernetes has put what is new where something was deleted, so that it counts as having stood there before.
  return inElementOrder(merged, order, replaced ? target : all.slice(0, target.length), keyed)
}

function mergeWanted(
  type: TypeRef | undefined,
  kept: readonly unknown[],
  wanted: readonly JsonObject[],
  keyed: (item: unknown) => unknown,
): unknown[] {
  if (wanted.length === 0) return [...kept]
  const result = [...kept]
  const places = new Map<string, number>()
  for (const [place, item] of kept.entries()) {
    const key = valueKey(keyed(item))
    if (!places.has(key)) places.set(key, place)
  }
  for (const item of wanted) {
    const key = valueKey(keyed(item))
    const place = places.get(key)
    if (place === undefined) places.set(key, result.push(mergeObjects(type, {}, item)) - 1)
    else result[place] = mergeObjects(type, asObject(result[place]), item)
  }
  return result
}

/** A patch that says in which order its list must be has to keep to that itself; what it deletes has no place. */
function checkOrder(
  patch: readonly unknown[],
  order: readonly unknown[],
  keyed: (item: unknown) => unknown,
): void {
  const [items, left] = [patch.filter((item) => directiveIn(item) !== 'delete'), [...order]]
  if (items.length === 0 || left.length === 0) return
  while (items.length > 0 && left.length > 0) {
    if (directiveIn(items[0]) !== undefined || equal(keyed(items[0]), keyed(left.shift()))) items.shift()
  }
  if (items.length === 0) return
  throw new StrategicMergeError(
    `The order in patch list:\n${goList(patch)}\n doesn't match $setElementOrder list:\n${goList(order)}\n`,
  )
}

function directiveIn(item: unknown): unknown {
  return isObject(item) ? own(item, '$patch') : undefined
}

function directiveOf(item: JsonObject): 'replace' | 'delete' | undefined {
  const directive = directiveIn(item)
  if (directive === undefined || directive === 'replace' || directive === 'delete') return directive
  if (directive === 'merge') {
    throw new StrategicMergeError('merging lists cannot yet be specified in the patch')
  }
  throw new StrategicMergeError(`unknown patch type: ${goValue(directive)} in map: ${goValue(item)}`)
}

function asObject(item: unknown): JsonObject {
  if (!isObject(item)) throw new StrategicMergeError('expected a list of objects')
  return item
}

function keyOf(item: JsonObject, mergeKey: string): unknown {
  const key = own(item, mergeKey)
  if (key !== undefined) return key
  throw new StrategicMergeError(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`)
}

/** Lists and maps as Go prints them. */
function goValue(value: unknown): string {
  if (Array.isArray(value)) return goList(value)
  if (!isObject(value)) return value === null ? '<nil>' : String(value)
  const entries = Object.keys(value).sort()
  return `map[${entries.map((key) => `${key}:${goValue(own(value, key))}`).join(' ')}]`
}

function goList(list: readonly unknown[]): string {
  return `[${list.map(goValue).join(' ')}]`
}
