import { NODES_LEASE, WINDOWS_HOSTS_LEASE } from '../../src/contract/names.ts'
import { isAlreadyExists, isConflict, isNotFound } from '../../src/kube/api-status-error.ts'
import { listWatch } from '../../src/kube/list-watch.ts'
import { objectPath } from '../../src/kube/paths.ts'
import type { Right } from './changes.ts'
import {
  HeldLease,
  type Holding,
  keepIf,
  LEASES,
  marksOf,
  newLease,
  specOf,
  type Taken,
  written,
} from './held-lease.ts'
import { type Lease, LeaseObservation } from './lease-observation.ts'

/** What only one may change at a time. */
export interface Domain {
  readonly lease: string
  /** For people. */
  readonly name: string
}

/** Nodes, and all else outside of namespaces. */
export const NODES_DOMAIN: Domain = { lease: NODES_LEASE, name: 'the nodes' }
/** What the Windows operator and its stand-ins are told, and the Nodes that they make of it. */
export const WINDOWS_HOSTS_DOMAIN: Domain = { lease: WINDOWS_HOSTS_LEASE, name: 'the Windows hosts' }

/** How often a holder on this machine is looked for among its processes. */
export const LOOK_EVERY_MS = 500
/** Who waits again and again for the same one says so no more often. */
const TOLD_AGAIN_MS = 60_000

export interface Acquisition extends Holding {
  /** Ends the wait; there is no other limit. */
  readonly signal: AbortSignal
  /** A line for people, whenever it waits for another holder. */
  readonly say: (line: string) => void
  /**
   * Puts right what others left of their changes, before anything else is done: whoever ended without doing it, or failed to,
   * since nobody changes anything without the lease.
   */
  readonly onTurn: (right: Right) => Promise<void>
}

/**
 * Takes the Lease that keeps runs, workers and people from changing the same things at once. Waits for its turn. Throws the
 * signal's reason, or what `onTurn` throws.
 */
export async function takeTurn(domain: Domain, acquisition: Acquisition): Promise<HeldLease> {
  const { signal } = acquisition
  while (true) {
    signal.throwIfAborted()
    const taken = (await create(domain, acquisition)) ?? (await take(domain, acquisition))
    if (!taken) continue
    const lease = new HeldLease(acquisition, taken)
    return keepIf(lease, () => acquisition.onTurn(lease))
  }
}

/** Undefined where there is one already. */
async function create(domain: Domain, acquisition: Acquisition): Promise<Taken | undefined> {
  try {
    return await written((signal) =>
      acquisition.kube.create<Lease>(LEASES, newLease(domain.lease, acquisition), signal),
    )
  } catch (error) {
    // Ours, where an answer was lost: the next look tells.
    if (isAlreadyExists(error)) return undefined
    throw error
  }
}

/** Watches until there is none, which answers undefined, or it can be taken from a dead holder, or is ours already. */
async function take(domain: Domain, acquisition: Acquisition): Promise<Taken | undefined> {
  const { signal } = acquisition
  const observation = new LeaseObservation(acquisition.holder)
  while (true) {
    const lease = await untilFree(domain, acquisition, observation)
    signal.throwIfAborted()
    if (!lease) return undefined
    const taken = await replace(domain, acquisition, lease)
    if (taken) return taken
  }
}

/** The lease as it was last seen; undefined where there is none, or the signal aborts. */
async function untilFree(
  domain: Domain,
  { kube, signal, say }: Acquisition,
  observation: LeaseObservation,
): Promise<Lease | undefined> {
  const turn = new AbortController()
  let news: string | undefined
  const looking = setInterval(() => {
    // A turn that ends before the first look is nothing to tell of.
    if (news && isNews(`${domain.lease} ${news}`)) say(`waiting for ${domain.name}: ${news} has them`)
    news = undefined
    // An end of its holder is no event of the API.
    if (observation.isFree(performance.now())) turn.abort()
  }, LOOK_EVERY_MS)
  try {
    const watching = { path: LEASES, fieldSelector: `metadata.name=${domain.lease}` }
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

/** When each line was told; two runs that take turns would tell it with each scenario. */
const told = new Map<string, number>()

function isNews(line: string): boolean {
  const now = performance.now()
  if (now - (told.get(line) ?? Number.NEGATIVE_INFINITY) < TOLD_AGAIN_MS) return false
  told.set(line, now)
  return true
}

/** Undefined where it was not as it was read: the next look tells. */
async function replace(
  domain: Domain,
  { kube, holder, timing }: Acquisition,
  { metadata, spec }: Lease,
): Promise<Taken | undefined> {
  const { uid, resourceVersion } = metadata ?? {}
  const patch = {
    metadata: { uid, resourceVersion, ...marksOf(holder) },
    spec: specOf(holder, timing, (spec?.leaseTransitions ?? 0) + 1),
  }
  try {
    return await written((signal) =>
      kube.patch<Lease>(objectPath(LEASES, domain.lease), patch, 'merge', signal),
    )
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return undefined
    throw error
  }
}
