import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { JOURNAL_LABEL, JOURNAL_NAMESPACE, RUN_LABEL } from '../../src/contract/names.ts'
import { ApiStatusError } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { clusterScopedCollections } from '../../src/kube/discovery.ts'
import { listAll } from '../../src/kube/list.ts'
import { collectionPath } from '../../src/kube/paths.ts'
import { WaitLimitError, waitFor } from '../../src/kube/wait-for.ts'
import { namespacePrefix } from '../scenario-namespace.ts'
import { persist } from './persist.ts'

export interface Audit {
  /** What is left of the run, each in words. */
  readonly leaks: readonly string[]
  /** What could not be looked at, each in words. */
  readonly unseen: readonly string[]
}

interface AuditSite {
  readonly kube: KubeClient
  readonly run: string
  readonly signal: AbortSignal
  /** Milliseconds that what is on its way out gets: a volume goes after its claim. */
  readonly goneWithinMs: number
}

/**
 * Looks for whatever a run left in a cluster: objects outside of namespaces that bear its label, volumes of its claims, its
 * entries in the journal, its lease.
 */
export async function auditCluster(site: AuditSite): Promise<Audit> {
  const { collections, unseen } = await clusterScopedCollections(site.kube, site.signal, (read) =>
    persist(site.signal, read),
  )
  const labelSelector = `${RUN_LABEL}=${site.run}`
  const found = await Promise.all([
    ...collections.map(({ kind, path }) => look(site, { what: kind, path, labelSelector })),
    ...collections
      .filter(({ path }) => path === VOLUMES)
      .map(({ path }) =>
        look(site, { what: 'PersistentVolume', path, isLeft: (one) => isVolumeOf(site.run, one) }),
      ),
    look(site, {
      what: 'entry of the journal',
      path: collectionPath('v1', 'configmaps', JOURNAL_NAMESPACE),
      labelSelector: `${labelSelector},${JOURNAL_LABEL}`,
    }),
    look(site, {
      what: 'Lease',
      path: collectionPath('coordination.k8s.io/v1', 'leases', JOURNAL_NAMESPACE),
      labelSelector,
    }),
  ])
  return {
    leaks: [...new Set(found.flatMap(({ leaks }) => leaks))],
    unseen: [...unseen, ...found.flatMap((one) => one.unseen)],
  }
}

const VOLUMES = collectionPath('v1', 'persistentvolumes')

interface Look {
  /** A kind, or another word for it. */
  readonly what: string
  readonly path: string
  readonly labelSelector?: string
  readonly isLeft?: (object: KubernetesObject) => boolean
}

/** Waits for all of it to be gone, where there is anything at all. */
async function look({ kube, signal, goneWithinMs }: AuditSite, looked: Look): Promise<Audit> {
  const { what, path, labelSelector, isLeft = () => true } = looked
  const selection = { path, ...(labelSelector !== undefined && { labelSelector }), signal }
  let left: readonly KubernetesObject[] = []
  try {
    left = (await persist(signal, () => listAll<KubernetesObject>(kube, selection))).objects.filter(isLeft)
    if (left.length === 0) return NOTHING
    await waitFor<KubernetesObject, true>(kube, {
      for: `no ${what} to be left`,
      ...selection,
      until: (objects) => {
        left = objects.filter(isLeft)
        return left.length === 0 || undefined
      },
      limitMs: goneWithinMs,
    })
    return NOTHING
  } catch (error) {
    signal.throwIfAborted()
    // Not for us to see, or of an extension that is down.
    if (error instanceof ApiStatusError) return { leaks: [], unseen: [`${what}: ${error.message}`] }
    if (!(error instanceof WaitLimitError)) throw error
    return { leaks: left.map(({ metadata }) => `${what} ${metadata?.name}`), unseen: [] }
  }
}

const NOTHING: Audit = { leaks: [], unseen: [] }

function isVolumeOf(run: string, { spec }: KubernetesObject): boolean {
  const { claimRef } = (spec ?? {}) as { claimRef?: { namespace?: string } }
  return claimRef?.namespace?.startsWith(namespacePrefix(run)) ?? false
}
