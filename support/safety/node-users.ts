import { NODES_IN_USE_LABEL, NODES_LEASE } from '../../src/contract/names.ts'
import { isAlreadyExists, isConflict, isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { listWatch } from '../../src/kube/list-watch.ts'
import { objectPath } from '../../src/kube/paths.ts'
import { HeldLease, LEASES, newLease } from './held-lease.ts'
import { isCertainlyDead } from './holder.ts'
import { holderOf, type Lease, LeaseObservation } from './lease-observation.ts'
import { type Acquisition, giveBack, keepIf, LOOK_EVERY_MS, takeTurn } from './node-lease.ts'
import { persist } from './persist.ts'

/**
 * The nodes for one alone: to change them, or whatever else the cluster has only once. Waits for its turn, and then for those
 * who use them to end; nobody begins meanwhile.
 */
export async function holdNodes(acquisition: Acquisition): Promise<HeldLease> {
  const turn = await takeTurn(acquisition)
  return keepIf(turn, () => usersGone(acquisition, turn))
}

/**
 * The nodes as they are, beside others who use them too: until it is released nobody changes them. Its Lease has a name of its
 * own and is written in a turn, so that whoever has the nodes alone has seen it.
 */
export async function useNodes(acquisition: Acquisition, name: string): Promise<HeldLease> {
  while (true) {
    const turn = await takeTurn(acquisition)
    try {
      const use = await announce(acquisition, name)
      if (turn.isHeld) return use
      // Another may have had its turn since, who has not seen it.
      await giveBack(use)
    } finally {
      await giveBack(turn)
    }
  }
}

/** Removes the Leases of users that ended without doing it, as far as that can be seen from here, and of runs said to have ended. */
export async function removeEndedUsers(
  kube: KubeClient,
  ended: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { objects } = await persist(signal, () =>
    listAll<Lease>(kube, { path: LEASES, labelSelector: NODES_IN_USE_LABEL, signal }),
  )
  for (const lease of objects) {
    const holder = holderOf(lease)
    if (holder && (ended.includes(holder.run) || isCertainlyDead(holder))) await remove(kube, lease, signal)
  }
}

async function announce(acquisition: Acquisition, name: string): Promise<HeldLease> {
  const { kube, signal } = acquisition
  const own = `${NODES_LEASE}-${name}`
  const sentAt = performance.now()
  const lease = await persist(signal, () =>
    kube.create<Lease>(LEASES, newLease(own, acquisition, { [NODES_IN_USE_LABEL]: '' }), signal),
  ).catch((error: unknown) => {
    // Nobody else takes this name: an answer was lost.
    if (isAlreadyExists(error)) return persist(signal, () => kube.get<Lease>(objectPath(LEASES, own), signal))
    throw error
  })
  return new HeldLease(acquisition, { lease, sentAt })
}

async function usersGone({ kube, holder, say, ...acquisition }: Acquisition, turn: HeldLease): Promise<void> {
  const signal = AbortSignal.any([acquisition.signal, turn.signal])
  const users = new Map<string, LeaseObservation>()
  const see = (lease: Lease): void => {
    const { name = '' } = lease.metadata ?? {}
    const observation = users.get(name) ?? new LeaseObservation(holder)
    users.set(name, observation)
    const news = observation.see(lease, performance.now())
    if (news && !observation.isFree(performance.now())) say(`waiting for the nodes: ${news} uses them`)
  }
  const removeDead = (): void => {
    for (const observation of users.values())
      if (observation.lease && observation.isFree(performance.now()))
        // Asked again at the next look; the watch tells when it is gone.
        remove(kube, observation.lease, signal).catch(() => undefined)
  }
  const looking = setInterval(removeDead, LOOK_EVERY_MS)
  try {
    const watching = { path: LEASES, labelSelector: NODES_IN_USE_LABEL, signal }
    for await (const item of listWatch<Lease>(kube, watching)) {
      if (item.type === 'BOOKMARK' || item.type === 'GAP') continue
      if (item.type === 'LISTED') {
        const listed = new Set(item.objects.map(({ metadata }) => metadata?.name))
        for (const name of users.keys()) if (!listed.has(name)) users.delete(name)
        item.objects.forEach(see)
      } else if (item.type === 'DELETED') users.delete(item.object.metadata?.name ?? '')
      else see(item.object)
      if (users.size === 0) return
      removeDead()
    }
  } finally {
    clearInterval(looking)
  }
  signal.throwIfAborted()
}

/** As it was seen: one that was renewed since is left alone. */
async function remove(kube: KubeClient, { metadata }: Lease, signal: AbortSignal): Promise<void> {
  const { name = '', uid, resourceVersion } = metadata ?? {}
  try {
    await kube.delete(objectPath(LEASES, name), { preconditions: { uid, resourceVersion } }, signal)
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error
  }
}
