import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json'

/** JSON whose numbers keep every digit: an int64 beyond 2^53 is compared as it was written. */
export type Json = null | boolean | string | LosslessNumber | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

/** Throws SyntaxError where the text is not JSON. */
export function parseExact(text: string): Json {
  return parse(text) as Json
}

/** The inverse of parseExact. */
export function printExact(value: unknown): string {
  return stringify(value) ?? 'undefined'
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
}

/** Equal as JSON: key order doesn't matter, the digits of numbers do. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (isLosslessNumber(one) || isLosslessNumber(other))
    return isLosslessNumber(one) && isLosslessNumber(other) && one.value === other.value
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => sameJson(item, other[index]))
    )
  if (!isObject(one) || !isObject(other)) return one === other
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key], other[key]))
  )
}

/** A deep copy in which every string, keys included, went through `change`. */
export function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]),
  )
}

export { isLosslessNumber, LosslessNumber }
