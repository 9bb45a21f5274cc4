import type { AllocateRequest } from '../contract/implementation.ts'
import type { PoolEntry } from '../contract/pool.ts'
import type { Change } from './change.ts'
import type { Machines } from './machines.ts'
import { changeThatFits, MOVES } from './moves.ts'
import type { PoolView } from './pool-view.ts'
import type { History } from './read-decide-write.ts'

/** The leases that a test already holds of the kind it asks for, oldest first. */
export function findLeases(view: PoolView, { testId, addressType }: AllocateRequest): readonly PoolEntry[] {
  return view.entries
    .filter((entry) => entry.status === 'in-use' && entry.testId === testId)
    .filter((entry) => addressType === undefined || entry.addressType === addressType)
    .toSorted(byAge)
}

/**
 * A lease that must be given back before anything else: the one this operation just wrote, when another writer got
 * in first (a lease of the same test and type, or the machine under another address), or one that a crash left so.
 */
export function surplusLease(
  view: PoolView,
  machines: Machines,
  leases: readonly PoolEntry[],
  { written, unanswered }: History,
): { readonly change: Change; readonly why: string } | undefined {
  for (const lease of leases) {
    const text = view.textOf(lease.address)
    const isNew = [written, unanswered].some((it) => it?.address === lease.address && it.newText === text)
    const rival = machines
      .siblings(lease)
      .find((it) => it.status === 'in-use' && (isNew || byAge(it, lease) < 0))
    const twin = isNew ? leases.find((it) => it !== lease && it.addressType === lease.addressType) : undefined
    const winner = rival ?? twin
    const change = winner && changeThatFits(view, lease, text ?? '', MOVES.free)
    if (change) return { change, why: `given back: ${winner.address} was taken first` }
  }
  return undefined
}

function byAge(one: PoolEntry, other: PoolEntry): number {
  const a = `${one.allocatedAt} ${one.address}`
  const b = `${other.allocatedAt} ${other.address}`
  return a < b ? -1 : a > b ? 1 : 0
}
