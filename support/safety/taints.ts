import type { Taint } from './entry.ts'

/** What a run did to the taints of a node, all in all. */
export interface OurTaints {
  readonly added: readonly Taint[]
  readonly removed: readonly Taint[]
}

/** A change of a list that others write to as well, decided on the list as it now is. */
export interface TaintPlan {
  /** The list to write; undefined where it is so already. */
  readonly next: readonly Taint[] | undefined
  /** What is journalled before the write. */
  readonly pending: OurTaints
  /** What is left to undo once it is written. */
  readonly settled: OurTaints
}

/** Adds them; one of the same key and effect is replaced, since the API keeps only one of each. */
export function planTaints(
  now: readonly Taint[],
  { added, removed }: OurTaints,
  wanted: readonly Taint[],
): TaintPlan {
  const missing = wanted.filter((taint) => !now.some((one) => isSame(one, taint)))
  const replaced = now.filter((one) => missing.some((taint) => hasSameSlot(one, taint)))
  const theirs = replaced.filter((one) => !isIn(one, added))
  const allRemoved = [...removed.filter((one) => !theirs.some((taint) => hasSameSlot(one, taint))), ...theirs]
  // One that was there before is put back as it was.
  const put = missing.map((taint) => allRemoved.find((one) => isSame(one, taint)) ?? taint)
  const pending = { added: union(added, missing), removed: allRemoved }
  const next = [...now.filter((one) => !replaced.includes(one)), ...put]
  return { next: missing.length ? next : undefined, pending, settled: settle(next, pending) }
}

/** Removes those that match: `key` or `key:effect`, whosever they are. */
export function planUntaint(
  now: readonly Taint[],
  { added, removed }: OurTaints,
  matches: readonly string[],
): TaintPlan {
  const going = now.filter(({ key, effect }) => matches.includes(key) || matches.includes(`${key}:${effect}`))
  const theirs = going.filter((one) => !isIn(one, added))
  const pending = {
    added,
    removed: [...removed.filter((one) => !theirs.some((taint) => hasSameSlot(one, taint))), ...theirs],
  }
  const next = now.filter((one) => !going.includes(one))
  return { next: going.length ? next : undefined, pending, settled: settle(next, pending) }
}

/** The list that undoing leaves; `left` tells what is not as the run left it, and therefore somebody else's by now. */
export function undoTaints(
  now: readonly Taint[],
  { added, removed }: OurTaints,
): { readonly next: readonly Taint[] | undefined; readonly left: readonly string[] } {
  const kept = now.filter((one) => !isIn(one, added) || isIn(one, removed))
  const back = removed.filter((one) => !kept.some((taint) => hasSameSlot(one, taint)))
  const left = kept
    .filter((one) => !isIn(one, removed))
    .filter((one) => [...added, ...removed].some((taint) => hasSameSlot(one, taint)))
    .map((one) => `taint ${printTaint(one)} is somebody else’s by now`)
  const changes = back.length > 0 || kept.length < now.length
  return { next: changes ? [...kept, ...back] : undefined, left }
}

/** `key=value:effect`, as kubectl writes it. */
export function printTaint({ key, value, effect }: Taint): string {
  return `${key}${value ? `=${value}` : ''}:${effect}`
}

/** What of it would still have to be undone on this list. */
function settle(list: readonly Taint[], { added, removed }: OurTaints): OurTaints {
  return {
    added: added.filter((one) => isIn(one, list) && !isIn(one, removed)),
    removed: removed.filter((one) => !isIn(one, list)),
  }
}

function union(list: readonly Taint[], more: readonly Taint[]): readonly Taint[] {
  return [...list, ...more.filter((one) => !isIn(one, list))]
}

function isIn(taint: Taint, list: readonly Taint[]): boolean {
  return list.some((one) => isSame(one, taint))
}

function isSame(one: Taint, other: Taint): boolean {
  return hasSameSlot(one, other) && (one.value ?? '') === (other.value ?? '')
}

function hasSameSlot(one: Taint, other: Taint): boolean {
  return one.key === other.key && one.effect === other.effect
}
