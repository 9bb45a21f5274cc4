import type { PoolEntry } from '../contract/pool.ts'
import type { FieldValues } from './fields.ts'
import type { NodesByAddress } from './nodes.ts'
import type { PoolView } from './pool-view.ts'

/** An entry, well-formed or not, as far as it says which machine it stands for. */
interface Claim {
  readonly address: string
  readonly machine?: string | undefined
}

/** Tells which entries stand for one machine: its `machine` field, or, where one lacks it, the addresses of a Node. */
export interface Machines {
  /** Why this entry may not be handed out although it is available itself; undefined when it may. */
  heldElsewhere(entry: PoolEntry): string | undefined
  /** Addresses of the other well-formed entries of this entry's machine. */
  siblings(entry: PoolEntry): readonly PoolEntry[]
}

export function indexMachines(view: PoolView, nodes: NodesByAddress): Machines {
  const index = new Map<string, { claim: Claim; entry?: PoolEntry; blocks?: string }[]>()
  const put = (claim: Claim, more: { entry?: PoolEntry; blocks?: string }) => {
    for (const key of keysOf(claim, nodes)) index.set(key, [...(index.get(key) ?? []), { claim, ...more }])
  }
  for (const entry of view.entries) {
    if (entry.status === 'available') put(entry, { entry })
    else put(entry, { entry, blocks: `its machine is ${entry.status} as ${entry.address}` })
  }
  for (const { address, field, values } of view.malformed) {
    if (isOffered(values)) continue
    const blocks = `its machine may be held as ${address}, whose ${field} is malformed`
    put({ address, machine: values.machine || undefined }, { blocks })
  }

  const others = (entry: PoolEntry) =>
    keysOf(entry, nodes)
      .flatMap((key) => index.get(key) ?? [])
      .filter(({ claim }) => claim.address !== entry.address && isSameMachine(claim, entry))
  return {
    heldElsewhere: (entry) => others(entry).find(({ blocks }) => blocks)?.blocks,
    siblings: (entry) => [...new Set(others(entry).flatMap(({ entry: other }) => other ?? []))],
  }
}

function keysOf(claim: Claim, nodes: NodesByAddress): string[] {
  const node = nodes.get(claim.address)
  return [...(claim.machine ? [`machine ${claim.machine}`] : []), ...(node ? [`node ${node.name}`] : [])]
}

/** Both found under one key: where both name a machine, that alone decides. */
function isSameMachine(one: Claim, other: Claim): boolean {
  return !one.machine || !other.machine || one.machine === other.machine
}

/** A malformed entry that plainly says `available` holds nothing. */
function isOffered(values: FieldValues): boolean {
  return values.status === 'available'
}
