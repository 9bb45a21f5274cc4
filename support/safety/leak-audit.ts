import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { JOURNAL_LABEL, JOURNAL_NAMESPACE, RUN_LABEL } from '../../src/contract/names.ts'
import { ApiStatusError } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
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
  const { collections, unseen } = await clusterScopedCollections(site)
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

interface Discovered {
  readonly collections: readonly { readonly kind: string; readonly path: string }[]
  readonly unseen: readonly string[]
}

interface GroupList {
  readonly groups?: readonly { readonly preferredVersion: { readonly groupVersion: string } }[]
}

interface ResourceList {
  readonly resources?: readonly {
    readonly name: string
    readonly kind: string
    readonly namespaced: boolean
    readonly verbs: readonly string[]
  }[]
}

/** Everything that can be listed and is in no namespace, custom resources too. */
async function clusterScopedCollections({ kube, signal }: AuditSite): Promise<Discovered> {
  const { groups = [] } = await persist(signal, () => kube.get<GroupList>('/apis', signal))
  const versions = ['v1', ...groups.map(({ preferredVersion }) => preferredVersion.groupVersion)]
  const found = await Promise.all(
    versions.map(async (version): Promise<Discovered> => {
      const path = version === 'v1' ? '/api/v1' : `/apis/${version}`
      try {
        const { resources = [] } = await kube.get<ResourceList>(path, signal)
        const listed = resources.filter(
          ({ name, namespaced, verbs }) => !namespaced && !name.includes('/') && verbs.includes('list'),
        )
        return {
          collections: listed.map(({ name, kind }) => ({ kind, path: collectionPath(version, name) })),
          unseen: [],
        }
      } catch (error) {
        // An extension that is down, or a group whose last definition has just gone.
        if (!(error instanceof ApiStatusError)) throw error
        return { collections: [], unseen: error.code === 404 ? [] : [`${path}: ${error.message}`] }
      }
    }),
  )
  return {
    collections: found.flatMap(({ collections }) => collections),
    unseen: found.flatMap(({ unseen }) => unseen),
  }
}
