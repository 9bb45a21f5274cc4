import type { PoolEntry } from '../contract/pool.ts'
import { readInstant } from './instant.ts'

/**
 * The order in which eligible entries are tried, the same for the same test id and pool. The half that has rested
 * longest comes first, so that wear is spread and a host just given back is the last to be tried again; within it
 * each test id has an order of its own (rendezvous hashing), so that tests which ask at once want different hosts.
 */
export function* orderOfChoice(eligible: readonly PoolEntry[], testId: string): Generator<PoolEntry> {
  const lastUse = Float64Array.from(eligible, lastUseOf)
  const median = lastUse.toSorted()[Math.ceil(eligible.length / 2) - 1] ?? 0
  const rested: PoolEntry[] = []
  const recent: PoolEntry[] = []
  eligible.forEach((entry, index) => {
    const group = (lastUse[index] ?? 0) <= median ? rested : recent
    group.push(entry)
  })
  for (const group of [rested, recent]) yield* byWeight(group, testId)
}

const instants = new WeakMap<PoolEntry, number>()

/** Milliseconds since 1970; an entry that never says so has rested longest. Kept, since entries outlive a decision. */
function lastUseOf(entry: PoolEntry): number {
  const known = instants.get(entry) ?? readInstant(entry.lastUpdated ?? '') ?? 0
  instants.set(entry, known)
  return known
}

/** Lazily, since the first is nearly always taken: each round looks for the heaviest of those not yet given. */
function* byWeight(group: readonly PoolEntry[], testId: string): Generator<PoolEntry> {
  const seed = hash(testId, 0x811c9dc5)
  const left = group.map((entry) => ({ entry, weight: mix(hash(entry.address, seed)) }))
  while (left.length > 0) {
    let heaviest = 0
    for (let at = 1; at < left.length; at++) if (isHeavier(left[at], left[heaviest])) heaviest = at
    const [taken] = left.splice(heaviest, 1)
    if (taken) yield taken.entry
  }
}

type Weighed = { readonly entry: PoolEntry; readonly weight: number } | undefined

function isHeavier(one: Weighed, other: Weighed): boolean {
  if (!one || !other) return false
  return one.weight === other.weight ? one.entry.address < other.entry.address : one.weight > other.weight
}

/** FNV-1a, 32 bits. */
function hash(text: string, seed: number): number {
  let state = seed
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193)
  return state >>> 0
}

/** FNV's last steps barely reach the high bits; this spreads them (MurmurHash3's finaliser). */
function mix(value: number): number {
  let state = value
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}
