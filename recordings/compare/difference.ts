import { isObject, type Json, printExact, sameJson } from '../exact-json.ts'

/** One place where two JSON values part; an absent value is undefined. */
export interface Difference {
  readonly path: string
  readonly expected: Json | undefined
  readonly found: Json | undefined
}

/** Every innermost place where the two differ, in the order of the expected value. */
export function differences(expected: Json | undefined, found: Json | undefined, path = '$'): Difference[] {
  if (Array.isArray(expected) && Array.isArray(found))
    return Array.from({ length: Math.max(expected.length, found.length) }, (_, index) =>
      differences(expected[index], found[index], `${path}[${index}]`),
    ).flat()
  if (isObject(expected) && isObject(found))
    return [...new Set([...Object.keys(expected), ...Object.keys(found)])].flatMap((key) =>
      differences(own(expected, key), own(found, key), path + segment(key)),
    )
  return sameJson(expected, found) ? [] : [{ path, expected, found }]
}

/** One side of a difference, for people. */
export function show(value: Json | undefined): string {
  return value === undefined ? '(absent)' : printExact(value)
}

function own(object: { [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function segment(key: string): string {
  return /^[\w-]+$/.test(key) ? `.${key}` : `['${key.replaceAll("'", "\\'")}']`
}
