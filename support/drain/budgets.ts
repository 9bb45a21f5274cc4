import { setTimeout as sleep } from 'node:timers/promises'
import type { KubeClient } from '../../src/kube/client.ts'
import { listWatch } from '../../src/kube/list-watch.ts'
import { collectionPath } from '../../src/kube/paths.ts'

/** Follows the disruption budgets of the namespaces in which one has refused an eviction. */
export class Budgets {
  readonly #kube: KubeClient
  readonly #signal: AbortSignal
  /** How many changes were seen, by namespace. */
  readonly #changes = new Map<string, number>()
  readonly #listeners = new Set<() => void>()

  /** Whoever may not watch budgets waits as long as without. */
  constructor(kube: KubeClient, signal: AbortSignal) {
    this.#kube = kube
    this.#signal = signal
  }

  /** How many changes were seen: to be read before the eviction that may be refused. */
  changes(namespace: string): number {
    return this.#changes.get(namespace) ?? 0
  }

  /** Waits so many milliseconds, or until there were more changes than these. Rejects when the signal aborts. */
  async wait(namespace: string, changes: number, delayMs: number): Promise<void> {
    if (!this.#changes.has(namespace)) this.#follow(namespace)
    const enough = new AbortController()
    const look = (): void => {
      if (this.changes(namespace) > changes) enough.abort()
    }
    this.#listeners.add(look)
    look()
    try {
      await sleep(delayMs, undefined, { signal: AbortSignal.any([enough.signal, this.#signal]) })
    } catch (error) {
      this.#signal.throwIfAborted()
      if (!enough.signal.aborted) throw error
    } finally {
      this.#listeners.delete(look)
    }
  }

  #follow(namespace: string): void {
    this.#changes.set(namespace, 0)
    void this.#count(namespace)
  }

  async #count(namespace: string): Promise<void> {
    const path = collectionPath('policy/v1', 'poddisruptionbudgets', namespace)
    for await (const item of listWatch(this.#kube, { path, signal: this.#signal })) {
      // What was listed counts: the budget may have changed after the refusal, and before anybody looked.
      if (item.type === 'BOOKMARK' || item.type === 'GAP') continue
      this.#changes.set(namespace, this.changes(namespace) + 1)
      for (const look of this.#listeners) look()
    }
  }
}
