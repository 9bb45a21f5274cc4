import type { ClusterDescription } from '../../clusters/provider.ts'
import { ifFound } from '../../src/kube/api-status-error.ts'
import { KubeClient } from '../../src/kube/client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { objectPath } from '../../src/kube/paths.ts'
import type { Right } from './changes.ts'
import { removeEndedNamespaces } from './ended-namespaces.ts'
import { giveBack, LEASES } from './held-lease.ts'
import { isCertainlyDead, isSameHolder, thisHolder } from './holder.ts'
import { Journal } from './journal.ts'
import { holderOf, type Lease } from './lease-observation.ts'
import { nodeSwitchOf } from './node-switch.ts'
import { removeEndedUsers } from './node-users.ts'
import { persist } from './persist.ts'
import { type Restored, restoreJournal } from './restore.ts'
import { type Domain, NODES_DOMAIN, takeTurn, WINDOWS_HOSTS_DOMAIN } from './turn.ts'
import { restoreWindowsHosts } from './windows-hosts.ts'

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
    const restored: Restored[] = []
    const holder = thisHolder(run, 'restore')
    const turn = async (domain: Domain, restore: (right: Right) => Promise<readonly Restored[]>) => {
      const onTurn = async (right: Right): Promise<void> => void restored.push(...(await restore(right)))
      await giveBack(await takeTurn(domain, { kube, holder, signal, say, onTurn }))
    }
    if (await isAnythingLeft(kube, thorough, signal)) {
      const nodes = nodeSwitchOf(cluster.rung, cluster.name)
      await turn(NODES_DOMAIN, (right) => restoreJournal({ kube, limits, signal, right, nodes }))
    }
    const hosts = await readLease(kube, WINDOWS_HOSTS_DOMAIN, signal)
    // Hosts that could not be cleared are told of by no lease.
    if (thorough || (hosts && isLeft(hosts)))
      await turn(WINDOWS_HOSTS_DOMAIN, (right) =>
        restoreWindowsHosts({ kube, limitMs: limits.reaction, signal, right }),
      )
    const users = await removeEndedUsers(kube, ended, signal)
    const goneWithinMs = thorough ? limits.step : undefined
    return [...restored, ...users, ...(await removeEndedNamespaces(kube, { signal, ended, goneWithinMs }))]
  } finally {
    kube.close()
  }
}

/** What somebody holds the lease for is theirs to undo, unless we are to wait for them. */
async function isAnythingLeft(kube: KubeClient, thorough: boolean, signal: AbortSignal): Promise<boolean> {
  const lease = await readLease(kube, NODES_DOMAIN, signal)
  const { entries, unreadable } = await new Journal(kube).list(signal)
  if (thorough) return lease !== undefined || entries.length + unreadable.length > 0
  if (lease && isLeft(lease)) return true
  const atWork = lease && holderOf(lease)
  return entries.some(({ entry }) => !isSameHolder(entry.holder, atWork)) || unreadable.length > 0
}

async function readLease(
  kube: KubeClient,
  { lease }: Domain,
  signal: AbortSignal,
): Promise<Lease | undefined> {
  return ifFound(persist(signal, () => kube.get<Lease>(objectPath(LEASES, lease), signal)))
}

function isLeft(lease: Lease): boolean {
  const holder = holderOf(lease)
  return holder !== undefined && isCertainlyDead(holder)
}
