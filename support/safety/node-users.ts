import { JOURNAL_NAMESPACE, NODES_IN_USE_LABEL, NODES_LEASE } from '../../src/contract/names.ts'
import { isAlreadyExists, isConflict, isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { listWatch } from '../../src/kube/list-watch.ts'
import { objectPath } from '../../src/kube/paths.ts'
import { giveBack, HeldLease, keepIf, LEASES, newLease, WRITE_MS, written } from './held-lease.ts'
import { isCertainlyDead } from './holder.ts'
import { holderOf, type Lease, LeaseObservation } from './lease-observation.ts'
import { persist } from './persist.ts'
import type { Restored } from './restore.ts'
import { type Acquisition, LOOK_EVERY_MS, NODES_DOMAIN, takeTurn } from './turn.ts'

/**
 * The nodes for one alone: to change them, or whatever else the cluster has only once. Waits for its turn, and then for those
 * who use them to end; nobody begins meanwhile.
 */
export async function holdNodes(acquisition: Acquisition): Promise<HeldLease> {
  const turn = await takeTurn(NODES_DOMAIN, acquisition)
  return keepIf(turn, () => usersGone(acquisition, turn))
}

/**
 * The nodes as they are, beside others who use them too: until it is released nobody changes them. Its Lease has a name of its
 * own and is written in a turn, so that whoever has the nodes alone has seen it.
 */
export async function useNodes(acquisition: Acquisition, name: string): Promise<HeldLease> {
  while (true) {
    const turn = await takeTurn(NODES_DOMAIN, acquisition)
    let use: HeldLease
    let isSeen = false
    try {
      use = await announce(acquisition, name)
      isSeen = turn.isHeld
    } finally {
      await giveBack(turn)
    }
    if (isSeen && use.isHeld) return use
    // Another may have had the nodes alone since, who has not seen it.
    await giveBack(use)
  }
}

/**
 * Removes the Leases of users that ended without doing it, as far as that can be seen from here, and of runs said to have
 * ended. Answers each.
 */
export async function removeEndedUsers(
  kube: KubeClient,
  ended: readonly string[],
  signal: AbortSignal,
): Promise<readonly Restored[]> {
  const { objects } = await persist(signal, () =>
    listAll<Lease>(kube, { path: LEASES, labelSelector: NODES_IN_USE_LABEL, signal }),
  )
  const dead = objects.filter((lease) => {
    const holder = holderOf(lease)
    return holder && (ended.includes(holder.run) || isCertainlyDead(holder))
  })
  return Promise.all(
    dead.map(async (lease): Promise<Restored> => {
      const name = lease.metadata?.name
      const what = { object: `Lease ${name}`, change: 'created' }
      try {
        await persist(signal, () => remove(kube, lease, signal))
        return { ...what, outcome: 'restored', note: '' }
      } catch (error) {
        const byHand = `By hand:\n  kubectl -n ${JOURNAL_NAMESPACE} delete lease ${name}`
        return { ...what, outcome: 'failed', note: `${(error as Error).message}\n${byHand}` }
      }
    }),
  )
}

async function announce(acquisition: Acquisition, name: string): Promise<HeldLease> {
  const { kube } = acquisition
  const own = `${NODES_LEASE}-${name}`
  const path = objectPath(LEASES, own)
  const firstSentAt = performance.now()
  try {
    const lease = newLease(own, acquisition, { [NODES_IN_USE_LABEL]: '' })
    return new HeldLease(acquisition, await written((signal) => kube.create<Lease>(LEASES, lease, signal)))
  } catch (error) {
    const signal = AbortSignal.timeout(WRITE_MS)
    // Nobody else takes this name: an answer was lost.
    if (isAlreadyExists(error)) {
      const lease = await persist(signal, () => kube.get<Lease>(path, signal))
      return new HeldLease(acquisition, { lease, sentAt: firstSentAt })
    }
    // It may be there all the same.
    await kube.delete(path, undefined, signal).catch(() => undefined)
    throw error
  }
}

async function usersGone({ kube, holder, say, ...acquisition }: Acquisition, turn: HeldLease): Promise<void> {
  const over = new AbortController()
  const signal = AbortSignal.any([acquisition.signal, turn.signal])
  const users = new Map<string, LeaseObservation>()
  let isListed = false
  const see = (lease: Lease): void => {
    const name = nameOf(lease)
    const observation = users.get(name) ?? new LeaseObservation(holder)
    users.set(name, observation)
    const news = observation.see(lease, performance.now())
    if (news && !observation.isFree(performance.now())) say(`waiting for the nodes: ${news} uses them`)
  }
  const removeDead = async (): Promise<void> => {
    for (const { lease } of [...users.values()].filter((one) => one.isFree(performance.now())))
      if (lease && (await remove(kube, lease, signal))) users.delete(nameOf(lease))
    if (isListed && users.size === 0) over.abort()
  }
  // What fails is tried again at the next look.
  const look = (): void => void removeDead().catch(() => undefined)
  const looking = setInterval(look, LOOK_EVERY_MS)
  try {
    const watching = { path: LEASES, labelSelector: NODES_IN_USE_LABEL }
    const ends = AbortSignal.any([signal, over.signal])
    for await (const item of listWatch<Lease>(kube, { ...watching, signal: ends })) {
      if (item.type === 'BOOKMARK' || item.type === 'GAP') continue
      if (item.type === 'LISTED') {
        const listed = new Set(item.objects.map(nameOf))
        for (const name of users.keys()) if (!listed.has(name)) users.delete(name)
        item.objects.forEach(see)
        isListed = true
      } else if (item.type === 'DELETED') users.delete(nameOf(item.object))
      else see(item.object)
      if (users.size === 0) return
      look()
    }
  } finally {
    clearInterval(looking)
  }
  if (!over.signal.aborted) signal.throwIfAborted()
}

/** As it was seen: false for one that was renewed since, which is left alone. */
async function remove(kube: KubeClient, lease: Lease, signal: AbortSignal): Promise<boolean> {
  const { uid, resourceVersion } = lease.metadata ?? {}
  try {
    const preconditions = { uid, resourceVersion }
    await kube.delete(objectPath(LEASES, nameOf(lease)), { preconditions }, signal)
    return true
  } catch (error) {
    if (isNotFound(error)) return true
    if (isConflict(error)) return false
    throw error
  }
}

function nameOf({ metadata }: Lease): string {
  return metadata?.name ?? ''
}
