import type { KubernetesObject } from '../src/contract/kubernetes.ts'
import { RUN_LABEL } from '../src/contract/names.ts'
import { ifFound } from '../src/kube/api-status-error.ts'
import type { KubeClient } from '../src/kube/client.ts'
import { collectionPath, objectPath } from '../src/kube/paths.ts'
import { type Content, contentOf } from './namespace-content.ts'
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

/** Deletes ConfigMaps and Events; false where anything else is found there, or the namespace is on its way out. */
async function isEmptied(kube: KubeClient, name: string, signal: AbortSignal): Promise<boolean> {
  const { metadata } = await kube.get<KubernetesObject>(objectPath(NAMESPACES, name), signal)
  if (metadata?.deletionTimestamp) return false
  const left = (await contentOf(kube, name, signal)).filter(isForeign)
  if (left.some(({ resource }) => resource !== 'configmaps')) return false
  const configMaps = collectionPath('v1', 'configmaps', name)
  for (const configMap of left) {
    const answer = await ifFound(kube.delete(objectPath(configMaps, configMap.name), undefined, signal))
    // The object itself, where something keeps it.
    if (answer && answer.kind !== 'Status') return false
  }
  await kube.delete(collectionPath('v1', 'events', name), undefined, signal)
  return true
}

/** Whether it is not one of those that the cluster makes in every namespace. */
function isForeign({ resource, name }: Content): boolean {
  return !GIVEN.includes(`${resource}/${name}`)
}

const GIVEN: readonly string[] = ['configmaps/kube-root-ca.crt', 'serviceaccounts/default']
