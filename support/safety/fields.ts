import { isDeepStrictEqual } from 'node:util'
import type { FieldChange, FieldValue } from './entry.ts'

type Json = Record<string, unknown>

/** A merge patch, decided on the object as it now is. */
export interface FieldPlan {
  /** Whether anything is to be written. */
  readonly changes: boolean
  /** What is journalled before the write. */
  readonly pending: readonly FieldChange[]
  /** What is left to undo once it is written. */
  readonly settled: readonly FieldChange[]
}

/** Looks at each leaf by itself: what is so already is no change of ours. */
export function planFields(now: Json, journalled: readonly FieldChange[], patch: Json): FieldPlan {
  let changes = false
  const pending = new Map(journalled.map((field) => [field.pointer, field]))
  const settled = new Map(pending)
  for (const { pointer, wanted } of leavesOf(patch)) {
    const found = valueAt(now, pointer)
    const known = pending.get(pointer)
    const isOurs = known?.ours.some((value) => isSame(value, found)) ?? false
    if (isSame(found, wanted) && (!known || !isOurs)) continue
    changes ||= !isSame(found, wanted)
    // What somebody wrote over ours is what there is to come back to.
    const before = known && isOurs ? known.before : found
    const made = known && isOurs ? known.made : topmostMissing(now, pointer)
    const rest = { pointer, before, ...(made !== undefined && { made }) }
    const ours = isOurs && !isSame(found, wanted) ? [found, wanted] : [wanted]
    pending.set(pointer, { ...rest, ours })
    if (isSame(wanted, before)) settled.delete(pointer)
    else settled.set(pointer, { ...rest, ours: [wanted] })
  }
  return { changes, pending: [...pending.values()], settled: [...settled.values()] }
}

/** The fields as they are after a write, should the API have made something else of a value. */
export function asWritten(written: Json, fields: readonly FieldChange[]): readonly FieldChange[] {
  return fields.map((field) => {
    const value = valueAt(written, field.pointer)
    return field.ours.some((one) => isSame(one, value)) ? field : { ...field, ours: [...field.ours, value] }
  })
}

/** The merge patch that undoes them; undefined where there is nothing to write. */
export function undoFields(
  now: Json,
  fields: readonly FieldChange[],
): { readonly patch: Json | undefined; readonly left: readonly string[] } {
  const left: string[] = []
  const patch: Json = {}
  const copy = structuredClone(now)
  let changes = false
  // The last first: one may have been made within another.
  for (const { pointer, before, ours, made } of fields.toReversed()) {
    const found = valueAt(copy, pointer)
    if (isSame(found, before)) continue
    if (!ours.some((value) => isSame(value, found))) {
      left.push(`${pointer} is ${print(found)}, which somebody else wrote`)
      continue
    }
    changes = true
    put(copy, pointer, before)
    put(patch, pointer, { value: before.value ?? null })
    for (let above = parentOf(pointer); made && above.startsWith(made); above = parentOf(above)) {
      if (!isDeepStrictEqual(valueAt(copy, above), { value: {} })) break
      put(copy, above, {})
      put(patch, above, { value: null })
    }
  }
  return { patch: changes ? patch : undefined, left }
}

/** All that undoing them may write, but for removing empty maps that were made for them. */
export function valuesBefore(fields: readonly FieldChange[]): Json {
  const values: Json = {}
  for (const { pointer, before } of fields.toReversed()) put(values, pointer, { value: before.value ?? null })
  return values
}

/** JSON pointers of everything that a merge patch sets, with what it sets there. */
export function leavesOf(
  patch: Json,
  above = '',
): { readonly pointer: string; readonly wanted: FieldValue }[] {
  return Object.entries(patch).flatMap(([key, value]) => {
    const pointer = `${above}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (value === null || value === undefined) return [{ pointer, wanted: {} }]
    if (isMap(value) && Object.keys(value).length > 0) return leavesOf(value, pointer)
    return [{ pointer, wanted: { value } }]
  })
}

/** The keys that lead to it. */
export function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function valueAt(object: unknown, pointer: string): FieldValue {
  let at = object
  for (const key of keysOf(pointer)) {
    if (!isMap(at) || !Object.hasOwn(at, key)) return {}
    at = at[key]
  }
  return { value: at }
}

/** Sets or, without a value, removes; makes the maps on the way. */
function put(object: Json, pointer: string, { value }: FieldValue): void {
  const keys = keysOf(pointer)
  const last = keys.pop() ?? ''
  let at = object
  for (const key of keys) {
    if (!Object.hasOwn(at, key) || !isMap(at[key])) define(at, key, {})
    at = at[key] as Json
  }
  if (value === undefined) delete at[last]
  else define(at, last, value)
}

/** A key may be called __proto__. */
function define(object: Json, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

/** The topmost map above the pointer that is not there; undefined where its parent is. */
function topmostMissing(object: Json, pointer: string): string | undefined {
  const keys = pointer.split('/').slice(1, -1)
  for (let depth = 1; depth <= keys.length; depth++) {
    const above = `/${keys.slice(0, depth).join('/')}`
    if (!('value' in valueAt(object, above))) return above
  }
  return undefined
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'))
}

function isSame(one: FieldValue, other: FieldValue): boolean {
  return isDeepStrictEqual(one.value, other.value)
}

function print({ value }: FieldValue): string {
  return value === undefined ? 'absent' : JSON.stringify(value)
}

function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
