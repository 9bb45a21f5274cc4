import { setOwn } from '../json/access.ts'
import { isObject, type JsonObject } from '../json/exact.ts'
import { type Schema, schemaOfKey, TYPE_META } from './schema.ts'

/** Drops what the schema does not know and names it in `unknown`; what needs no change is shared with the input. */
export function prune(
  value: unknown,
  schema: Schema | undefined,
  unknown: string[],
  path = '',
  isRoot = true,
): unknown {
  if (Array.isArray(value)) return pruneList(value, schema, unknown, path)
  if (!isObject(value)) return value
  const isResource = isRoot || schema?.['x-kubernetes-embedded-resource'] === true
  const keepsAll =
    schema?.['x-kubernetes-preserve-unknown-fields'] === true || schema?.additionalProperties === true
  let copy: JsonObject | undefined
  for (const [key, item] of Object.entries(value)) {
    if (isResource && TYPE_META.includes(key)) continue
    const child = path === '' ? key : `${path}.${key}`
    const inner = schema === undefined ? undefined : schemaOfKey(schema, key)
    if (inner === undefined && !keepsAll) {
      unknown.push(child)
      copy ??= { ...value }
      delete copy[key]
      continue
    }
    // Below a field that keeps everything and says nothing more of this key, nothing is unknown.
    if (inner === undefined) continue
    const pruned = prune(item, inner, unknown, child, false)
    if (pruned === item) continue
    copy ??= { ...value }
    setOwn(copy, key, pruned)
  }
  return copy ?? value
}

function pruneList(
  value: readonly unknown[],
  schema: Schema | undefined,
  unknown: string[],
  path: string,
): unknown {
  if (schema?.items === undefined) return value
  const pruned = value.map((item, index) => prune(item, schema.items, unknown, `${path}[${index}]`, false))
  return pruned.every((item, index) => item === value[index]) ? value : pruned
}
