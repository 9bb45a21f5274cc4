import { type Hold, holdOf } from './hold.ts'

interface Tagged {
  readonly tags: readonly { readonly name: string }[]
}

/**
 * Whether a scenario may begin while others of its run are under way on the same cluster. The leases keep them apart as
 * well, of other runs too, but a worker that waits for one is a worker less. Only of those that want the Windows hosts is one
 * let in to wait: it has all else done once they are free, and there are so many that they decide how long a run takes.
 */
export function maySideBySide(next: Tagged, running: readonly Tagged[]): boolean {
  const own = hold(next)
  const others = running.map(hold)
  if (!others.every((other) => mayShareNodes(own, other))) return false
  const wanting = others.filter(({ windowsHosts }) => windowsHosts)
  return !own.windowsHosts || wanting.length <= (own.nodes === 'none' ? 1 : 0)
}

/**
 * Those first beside which least may begin, as far as all workers are kept busy: cucumber-js 13 never asks a worker again for
 * which there was nothing to begin. Scenarios that share the nodes have all workers; then one at a time has the nodes alone,
 * another the Windows hosts, and the rest is done beside both.
 */
export function inGoodOrder<T extends Tagged>(scenarios: readonly T[]): T[] {
  return scenarios.toSorted((one, other) => turn(hold(one)) - turn(hold(other)))
}

function mayShareNodes(one: Hold, other: Hold): boolean {
  const bothLeaveThem = one.nodes === 'beside others' && other.nodes === 'beside others'
  return one.nodes === 'none' || other.nodes === 'none' || bothLeaveThem
}

function turn({ nodes, windowsHosts }: Hold): number {
  if (nodes === 'beside others') return 0
  if (nodes === 'alone') return 1
  return windowsHosts ? 2 : 3
}

function hold({ tags }: Tagged): Hold {
  return holdOf(tags.map(({ name }) => name))
}
