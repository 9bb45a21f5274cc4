import type { KubeClient } from '../../src/kube/client.ts'
import { listWatch } from '../../src/kube/list-watch.ts'
import { collectionPath } from '../../src/kube/paths.ts'
import { type DrainedPod, keyOf } from './drained-pod.ts'

/** Follows the pods of one node, in all namespaces, until the signal ends it. */
export class NodePods {
  readonly #known = new Map<string, DrainedPod>()
  readonly #listeners = new Set<() => void>()
  #listed = false

  /** The watch runs in the background: whoever waits learns of its end by the signal that began it. */
  constructor(kube: KubeClient, node: string, signal: AbortSignal) {
    void this.#follow(kube, node, signal)
  }

  /** Resolves when the pod with this uid is gone, or is on its way out. Rejects with the signal's reason. */
  untilLeaving(uid: string, signal: AbortSignal): Promise<void> {
    return this.#until(
      () => this.#find(uid)?.metadata?.deletionTimestamp !== undefined || this.#isGone(uid),
      signal,
    )
  }

  /** Resolves when the pod with this uid is gone, whatever came in its place. Rejects with the signal's reason. */
  untilGone(uid: string, signal: AbortSignal): Promise<void> {
    return this.#until(() => this.#isGone(uid), signal)
  }

  #find(uid: string): DrainedPod | undefined {
    return this.#known.get(uid)
  }

  #isGone(uid: string): boolean {
    return this.#listed && !this.#known.has(uid)
  }

  async #until(holds: () => boolean, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const look = (): void => {
      if (holds()) resolve()
    }
    const giveUp = (): void => reject(signal.reason)
    if (signal.aborted) giveUp()
    this.#listeners.add(look)
    signal.addEventListener('abort', giveUp, { once: true })
    look()
    try {
      await promise
    } finally {
      this.#listeners.delete(look)
      signal.removeEventListener('abort', giveUp)
    }
  }

  async #follow(kube: KubeClient, node: string, signal: AbortSignal): Promise<void> {
    // Without the drain's label selector: a pod that loses its label is not gone.
    const watching = { path: collectionPath('v1', 'pods'), fieldSelector: `spec.nodeName=${node}`, signal }
    for await (const item of listWatch<DrainedPod>(kube, watching)) {
      if (item.type === 'BOOKMARK' || item.type === 'GAP') continue
      if (item.type === 'LISTED') {
        this.#listed = true
        this.#known.clear()
        for (const pod of item.objects) this.#known.set(keyOf(pod).uid, pod)
      } else if (item.type === 'DELETED') this.#known.delete(keyOf(item.object).uid)
      else this.#known.set(keyOf(item.object).uid, item.object)
      for (const look of this.#listeners) look()
    }
  }
}
