import type { KubernetesObject } from '../src/contract/kubernetes.ts'
import { RUN_LABEL } from '../src/contract/names.ts'
import { ApiStatusError, isNotFound } from '../src/kube/api-status-error.ts'
import type { KubeClient } from '../src/kube/client.ts'
import { listAll } from '../src/kube/list.ts'
import { collectionPath, objectPath } from '../src/kube/paths.ts'
import type { Holder } from './safety/holder.ts'
import {
  createNamespace,
  deleteNamespace,
  NAMESPACES,
  proveNamespacesAbsent,
  uniqueName,
} from './scenario-namespace.ts'

interface Site {
  readonly kube: KubeClient
  readonly run: string
  readonly holder: Holder
}

/**
 * Namespaces of one worker, each one scenario's at a time. Whoever leaves nothing but ConfigMaps leaves its namespace, emptied,
 * to the next: to delete one costs a cluster a hundred requests.
 */
export class ScratchNamespaces {
  readonly #site: Site
  readonly #empty: string[] = []
  readonly #made = new Set<string>()
  readonly #deleted = new Set<string>()

  constructor(site: Site) {
    this.#site = site
  }

  /** The name of an empty one. */
  async take(signal: AbortSignal): Promise<string> {
    const kept = this.#empty.pop()
    if (kept !== undefined) return kept
    const { kube, run, holder } = this.#site
    const name = uniqueName()
    this.#made.add(name)
    await createNamespace(kube, name, { [RUN_LABEL]: run }, holder, signal)
    return name
  }

  /**
   * `isSettled`: nothing that the scenario sent or started can write there any more. Where that is not sure, or it can't be
   * emptied in so many milliseconds, it is deleted, which may take as long again.
   */
  async giveBack(name: string, isSettled: boolean, limitMs: number): Promise<void> {
    const { kube } = this.#site
    if (isSettled && (await isEmptied(kube, name, AbortSignal.timeout(limitMs)).catch(() => false))) {
      this.#empty.push(name)
      return
    }
    await deleteNamespace(kube, name, AbortSignal.timeout(limitMs))
    this.#deleted.add(name)
  }

  /** Waits until none of them exists any more; the failure names those that are left. */
  async removeAll(limitMs: number): Promise<void> {
    const { kube, run } = this.#site
    const signal = AbortSignal.timeout(limitMs)
    const left = [...this.#made].filter((name) => !this.#deleted.has(name))
    // What could not be deleted is named by the proof.
    await Promise.allSettled(left.map((name) => deleteNamespace(kube, name, signal)))
    if (this.#made.size > 0) await proveNamespacesAbsent(kube, run, this.#made, limitMs)
  }
}

/** What every namespace has, made by the cluster. */
const GIVEN: readonly string[] = ['configmaps/kube-root-ca.crt', 'serviceaccounts/default']

/** Where a scenario that runs nothing could have left something all the same; who uses other kinds says that it runs pods. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['v1', 'secrets'],
  ['v1', 'serviceaccounts'],
  ['v1', 'services'],
  ['v1', 'pods'],
  ['v1', 'persistentvolumeclaims'],
  ['apps/v1', 'deployments'],
  ['coordination.k8s.io/v1', 'leases'],
]

/** Deletes ConfigMaps and Events; false where anything of those is there, or the namespace is on its way out. */
async function isEmptied(kube: KubeClient, name: string, signal: AbortSignal): Promise<boolean> {
  const { metadata } = await kube.get<KubernetesObject>(objectPath(NAMESPACES, name), signal)
  if (metadata?.deletionTimestamp) return false
  const configMaps = (await contentOf(kube, name, 'v1', 'configmaps', signal)).filter(isForeign)
  const others = (
    await Promise.all(OTHERS.map(([version, resource]) => contentOf(kube, name, version, resource, signal)))
  ).flat()
  if (others.some(isForeign)) return false
  for (const configMap of configMaps) {
    const path = objectPath(collectionPath('v1', 'configmaps', name), configMap.split('/')[1] ?? '')
    await kube.delete(path, undefined, signal).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
  }
  await kube.delete(collectionPath('v1', 'events', name), undefined, signal)
  return !(await contentOf(kube, name, 'v1', 'configmaps', signal)).some(isForeign)
}

async function contentOf(
  kube: KubeClient,
  namespace: string,
  apiVersion: string,
  resource: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const path = collectionPath(apiVersion, resource, namespace)
  const { objects } = await listAll(kube, { path, signal }).catch((error: unknown) => {
    // What an API does not serve can't be there.
    if (error instanceof ApiStatusError && [404, 501].includes(error.code)) return { objects: [] }
    throw error
  })
  return objects.map(({ metadata }) => `${resource}/${metadata?.name}`)
}

function isForeign(object: string): boolean {
  return !GIVEN.includes(object)
}
