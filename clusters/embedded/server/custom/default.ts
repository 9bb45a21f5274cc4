import { own, setOwn } from '../json/access.ts'
import { isObject, type JsonObject } from '../json/exact.ts'
import { type Schema, schemaOfKey, TYPE_META } from './schema.ts'

/** Fills in defaults; a null where the schema allows none counts as missing and goes. What needs no change is shared with the input. */
export function applyDefaults(value: unknown, schema: Schema | undefined, isRoot = true): unknown {
  if (schema === undefined) return value
  if (Array.isArray(value)) {
    if (schema.items === undefined) return value
    const items = value.map((item) => applyDefaults(item, schema.items, false))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isObject(value)) return value
  let copy: JsonObject | undefined
  const set = (key: string, item: unknown): void => {
    copy ??= { ...value }
    setOwn(copy, key, item)
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const present = own(value, key)
    const isMissing = present === undefined || (present === null && property.nullable !== true)
    if (isMissing && property.default !== undefined) set(key, property.default)
    else if (isMissing && present === null) {
      copy ??= { ...value }
      delete copy[key]
    }
  }
  for (const [key, item] of Object.entries(copy ?? value)) {
    if (isRoot && TYPE_META.includes(key)) continue
    const inner = schemaOfKey(schema, key)
    const defaulted = applyDefaults(item, inner, false)
    if (defaulted !== item) set(key, defaulted)
  }
  return copy ?? value
}
