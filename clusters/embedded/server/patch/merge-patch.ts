import { own, setOwn } from '../json/access.ts'
import { isObject, type JsonObject } from '../json/exact.ts'

/** RFC 7386: objects are merged, null removes, everything else replaces. What is not named is shared with the result. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: JsonObject = isObject(target) ? { ...target } : {}
  for (const key of Object.keys(patch)) {
    const value = patch[key]
    if (value === null) delete result[key]
    else setOwn(result, key, applyMergePatch(own(result, key), value))
  }
  return result
}
