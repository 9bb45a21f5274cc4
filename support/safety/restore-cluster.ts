import type { ClusterDescription } from '../../clusters/provider.ts'
import { NODES_LEASE } from '../../src/contract/names.ts'
import { isNotFound } from '../../src/kube/api-status-error.ts'
import { KubeClient } from '../../src/kube/client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { objectPath } from '../../src/kube/paths.ts'
import type { Right } from './changes.ts'
import { removeEndedNamespaces } from './ended-namespaces.ts'
import { giveBack, LEASES } from './held-lease.ts'
import { isCertainlyDead, isSameHolder, thisHolder } from './holder.ts'
import { Journal } from './journal.ts'
import { holderOf, type Lease } from './lease-observation.ts'
import { takeTurn } from './node-lease.ts'
import { nodeSwitchOf } from './node-switch.ts'
import { removeEndedUsers } from './node-users.ts'
import { persist } from './persist.ts'
import { type Restored, restoreJournal } from './restore.ts'

const LEASE = objectPath(LEASES, NODES_LEASE)

export interface RestoreRequest {
  readonly cluster: Pick<ClusterDescription, 'rung' | 'name' | 'kubeconfig' | 'limits'>
  /** As what it holds the lease: a run's id, or a name of its own. */
  readonly run: string
  readonly signal: AbortSignal
  /** A line for people, while it waits. */
  readonly say: (line: string) => void
  /** Runs that somebody says have ended, wherever they were. */
  readonly ended?: readonly string[]
  /** Waits for those that change the cluster right now, and looks again after them; and for what it deletes to be gone. */
  readonly thorough: boolean
}

/**
 * Puts right what runs left that ended without doing it themselves: what the journal has, under the lease, and the namespaces
 * of their scenarios. A run that is at work is left alone.
 */
export async function restoreCluster(request: RestoreRequest): Promise<readonly Restored[]> {
  const { cluster, run, signal, say, ended = [], thorough } = request
  const kube = new KubeClient(await loadKubeconfig(cluster.kubeconfig))
  try {
    const { limits } = cluster
    const journal: Restored[] = []
    if (await isAnythingLeft(kube, thorough, signal)) {
      const holder = thisHolder(run, 'restore')
      const nodes = nodeSwitchOf(cluster.rung, cluster.name)
      const onTurn = async (right: Right): Promise<void> => {
        journal.push(...(await restoreJournal({ kube, limits, signal, right, nodes })))
      }
      await giveBack(await takeTurn({ kube, holder, signal, say, onTurn }))
    }
    const users = await removeEndedUsers(kube, ended, signal)
    const goneWithinMs = thorough ? limits.step : undefined
    return [...journal, ...users, ...(await removeEndedNamespaces(kube, { signal, ended, goneWithinMs }))]
  } finally {
    kube.close()
  }
}

/** What somebody holds the lease for is theirs to undo, unless we are to wait for them. */
async function isAnythingLeft(kube: KubeClient, thorough: boolean, signal: AbortSignal): Promise<boolean> {
  const lease = await persist(signal, () => kube.get<Lease>(LEASE, signal)).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  const { entries, unreadable } = await new Journal(kube).list(signal)
  if (thorough) return lease !== undefined || entries.length + unreadable.length > 0
  const holder = lease && holderOf(lease)
  if (holder && isCertainlyDead(holder)) return true
  const atWork = holder
  return entries.some(({ entry }) => !isSameHolder(entry.holder, atWork)) || unreadable.length > 0
}
