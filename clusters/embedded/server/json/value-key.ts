import { isObject } from './exact.ts'

/** A text that two JSON values share exactly when they are equal: thousands of them are found in a Map, not compared one by one. */
export function valueKey(value: unknown): string {
  // Only the JSON of a string begins with a quotation mark: none of the others can be taken for it.
  return typeof value === 'string' ? `"${value}` : (JSON.stringify(sorted(value)) ?? '')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [key, sorted(each)])
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)))
}
