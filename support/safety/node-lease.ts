import { NODES_LEASE } from '../../src/contract/names.ts'
import { isAlreadyExists, isConflict, isNotFound } from '../../src/kube/api-status-error.ts'
import { listWatch } from '../../src/kube/list-watch.ts'
import { objectPath } from '../../src/kube/paths.ts'
import type { Right } from './changes.ts'
import { HeldLease, type Holding, LEASES, marksOf, newLease, specOf, type Taken } from './held-lease.ts'
import { isSameHolder } from './holder.ts'
import { holderOf, type Lease, LeaseObservation } from './lease-observation.ts'
import { isPassing } from './persist.ts'

const LEASE = objectPath(LEASES, NODES_LEASE)
/** How often a holder on this machine is looked for among its processes. */
export const LOOK_EVERY_MS = 500
/** What is given up is given back, although nobody waits for it any more. */
const GIVE_BACK_MS = 10_000

export interface Acquisition extends Holding {
  /** Ends the wait; there is no other limit. */
  readonly signal: AbortSignal
  /** A line for people, whenever it waits for another holder. */
  readonly say: (line: string) => void
  /** Puts right what a dead holder left, before anything else is changed; the lease is held meanwhile. */
  readonly onTakeover: (right: Right) => Promise<void>
}

/**
 * Takes the Lease that keeps runs, workers and people from changing the same nodes at once. Waits for its turn. Throws the
 * signal's reason, or what `onTakeover` throws.
 */
export async function takeTurn(acquisition: Acquisition): Promise<HeldLease> {
  const { signal } = acquisition
  while (true) {
    signal.throwIfAborted()
    const taken = (await create(acquisition)) ?? (await take(acquisition))
    if (!taken) continue
    const lease = new HeldLease(acquisition, taken)
    if (!taken.isTakenOver) return lease
    return keepIf(lease, () => acquisition.onTakeover(lease))
  }
}

/** The lease, where what is to come before it succeeds; else it is given back. */
export async function keepIf(lease: HeldLease, first: () => Promise<unknown>): Promise<HeldLease> {
  try {
    await first()
    return lease
  } catch (error) {
    await giveBack(lease)
    throw error
  }
}

/** Releases what may be in nobody's way any more; a lease that could not be deleted runs out by itself. */
export async function giveBack(lease: HeldLease): Promise<void> {
  await lease.release(AbortSignal.timeout(GIVE_BACK_MS)).catch(() => undefined)
}

interface TurnTaken extends Taken {
  /** Whether somebody else had it, and left what is to be put right. */
  readonly isTakenOver: boolean
}

/** Undefined where there is one already, or no answer came. */
async function create(acquisition: Acquisition): Promise<TurnTaken | undefined> {
  const { kube, signal } = acquisition
  const sentAt = performance.now()
  try {
    const lease = await kube.create<Lease>(LEASES, newLease(NODES_LEASE, acquisition), signal)
    return { lease, sentAt, isTakenOver: false }
  } catch (error) {
    if (isAlreadyExists(error) || isPassing(error)) return undefined
    throw error
  }
}

/** Watches until there is none, which answers undefined, or it can be taken from a dead holder, or is ours already. */
async function take(acquisition: Acquisition): Promise<TurnTaken | undefined> {
  const { holder, signal } = acquisition
  const observation = new LeaseObservation(holder)
  // A takeover whose answer was lost is one all the same.
  let isTakenOver = false
  while (true) {
    const lease = await untilFree(acquisition, observation)
    signal.throwIfAborted()
    if (!lease) return undefined
    isTakenOver ||= !isSameHolder(holder, holderOf(lease))
    const sentAt = performance.now()
    const replaced = await replace(acquisition, lease)
    if (replaced) return { lease: replaced, sentAt, isTakenOver }
  }
}

/** The lease as it was last seen; undefined where there is none, or the signal aborts. */
async function untilFree(
  { kube, signal, say }: Acquisition,
  observation: LeaseObservation,
): Promise<Lease | undefined> {
  const turn = new AbortController()
  let news: string | undefined
  const looking = setInterval(() => {
    // A turn that ends before the first look is nothing to tell of.
    if (news) say(`waiting for the nodes: ${news} has them`)
    news = undefined
    // An end of its holder is no event of the API.
    if (observation.isFree(performance.now())) turn.abort()
  }, LOOK_EVERY_MS)
  try {
    const watching = { path: LEASES, fieldSelector: `metadata.name=${NODES_LEASE}` }
    const ends = AbortSignal.any([signal, turn.signal])
    for await (const item of listWatch<Lease>(kube, { ...watching, signal: ends })) {
      if (item.type === 'BOOKMARK' || item.type === 'GAP') continue
      const lease = item.type === 'LISTED' ? item.objects[0] : item.object
      if (!lease || item.type === 'DELETED') return undefined
      news = observation.see(lease, performance.now()) ?? news
      if (observation.isFree(performance.now())) return lease
    }
    return signal.aborted ? undefined : observation.lease
  } finally {
    clearInterval(looking)
  }
}

/** Undefined where it was not as it was read, or no answer came: the next look tells. */
async function replace(
  { kube, holder, signal, timing }: Acquisition,
  { metadata, spec }: Lease,
): Promise<Lease | undefined> {
  const { uid, resourceVersion } = metadata ?? {}
  const patch = {
    metadata: { uid, resourceVersion, ...marksOf(holder) },
    spec: specOf(holder, timing, (spec?.leaseTransitions ?? 0) + 1),
  }
  try {
    return await kube.patch<Lease>(LEASE, patch, 'merge', signal)
  } catch (error) {
    if (isConflict(error) || isNotFound(error) || isPassing(error)) return undefined
    throw error
  }
}
