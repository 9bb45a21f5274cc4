import type { AllocateRequest } from '../contract/implementation.ts'
import type { PoolEntry } from '../contract/pool.ts'
import type { Change } from './change.ts'
import { readInstant } from './instant.ts'
import type { Machines } from './machines.ts'
import { changeThatFits, MOVES } from './moves.ts'
import type { PoolView } from './pool-view.ts'
import type { History } from './read-decide-write.ts'

/**
 * The leases that a test already holds of the kind it asks for: first the one that is the test's own. More than one is
 * left where a process died between its write and the look at the result, or a write arrived after it was given up for
 * lost. The others may be somebody's answer all the same, so nobody takes them away but a clean-up or a reclaim.
 */
export function findLeases(view: PoolView, { testId, addressType }: AllocateRequest): readonly PoolEntry[] {
  return view.entries
    .filter((entry) => entry.status === 'in-use' && entry.testId === testId)
    .filter((entry) => addressType === undefined || entry.addressType === addressType)
    .toSorted(byRight)
}

/** Whether its holder has used the lease since it was taken: then it is certain that somebody was told of it. */
export function wasRenewed({ allocatedAt = '', lastUpdated = '' }: PoolEntry): boolean {
  return (readInstant(lastUpdated) ?? 0) > (readInstant(allocatedAt) ?? Number.POSITIVE_INFINITY)
}

/**
 * The lease that this operation just wrote, when another writer got in first: a lease of the same test and type, or the
 * machine under another address. No other lease is given back for that: which of two was there first does not show in
 * them, and a time that somebody wrote proves nothing. Nor does it show where the answer of our write was lost: the
 * same test may have been told of our lease before its other one came. It is given back only while the other stands,
 * or both of two could go, and with them the one that the test was told of.
 */
export function surplusLease(
  view: PoolView,
  machines: Machines,
  leases: readonly PoolEntry[],
  { written, unanswered }: History,
): { readonly change: Change; readonly why: string } | undefined {
  for (const lease of leases) {
    const text = view.textOf(lease.address)
    const isOf = (change?: Change) => change?.address === lease.address && change.newText === text
    if (!isOf(written) && !isOf(unanswered)) continue
    const winner =
      machines.siblings(lease).find(({ status }) => status === 'in-use') ??
      leases.find((it) => isOf(written) && it !== lease && it.addressType === lease.addressType)
    const change = winner && changeThatFits(view, lease, text ?? '', MOVES.free)
    if (change) {
      const restsOn = [winner.address]
      return { change: { ...change, restsOn }, why: `given back: ${winner.address} was taken first` }
    }
  }
  return undefined
}

/** Another test's entry that is in use and stands for the machine of this lease. */
export function rivalOf(machines: Machines, lease: PoolEntry): PoolEntry | undefined {
  return machines.siblings(lease).find(({ status, testId }) => status === 'in-use' && testId !== lease.testId)
}

/** Renewed ones first; else the latest, since what is left over is what took longest from its decision to its landing. */
function byRight(one: PoolEntry, other: PoolEntry): number {
  if (wasRenewed(one) !== wasRenewed(other)) return wasRenewed(one) ? -1 : 1
  const a = `${one.allocatedAt} ${one.address}`
  const b = `${other.allocatedAt} ${other.address}`
  return a > b ? -1 : a < b ? 1 : 0
}
