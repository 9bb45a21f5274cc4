import { isExactNumber, isObject, type JsonObject } from './exact.ts'

/** An object's own value under a key: `constructor` and `__proto__` are ordinary keys of Kubernetes maps. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Sets an own value under any key, also `__proto__`. */
export function setOwn(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}

/** The value at a path of keys, undefined where any of them is missing. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value
  for (const key of path) {
    if (!isObject(current)) return undefined
    current = own(current, key)
  }
  return current
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : ''
}

export function objectAt(value: unknown, ...path: readonly string[]): JsonObject {
  const found = at(value, ...path)
  return isObject(found) ? found : {}
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** A copy with the value at the path replaced (or removed, when undefined); what is not on the path is shared. */
export function withValueAt<T extends JsonObject>(object: T, path: readonly string[], value: unknown): T {
  const [key, ...rest] = path
  if (key === undefined) return object
  const copy = { ...object } as JsonObject
  const next = rest.length === 0 ? value : withValueAt(objectAt(object, key), rest, value)
  if (next === undefined) delete copy[key]
  else setOwn(copy, key, next)
  return copy as T
}

/** Deep equality of JSON values; the order of keys does not matter. */
export function equal(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false
    return left.every((item, index) => equal(item, right[index]))
  }
  if (isExactNumber(left) || isExactNumber(right)) {
    return isExactNumber(left) && isExactNumber(right) && left.rawJSON === right.rawJSON
  }
  if (!isObject(left) || !isObject(right)) return false
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key]))
}
