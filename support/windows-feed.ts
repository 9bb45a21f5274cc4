import type { KubernetesObject } from '../src/contract/kubernetes.ts'
import type { KubeClient } from '../src/kube/client.ts'
import { listWatch, type WatchItem } from '../src/kube/list-watch.ts'

/** Must not throw: it would end the feed for the others. */
export type Listener = (item: WatchItem<KubernetesObject>) => void

/**
 * One collection, followed once for all scenarios of a worker: a watch of each scenario's own would be a connection
 * more every time. Evidence only, since it may lag behind what a scenario has already read.
 */
export class Feed {
  readonly #known = new Map<string, KubernetesObject>()
  readonly #listeners = new Set<Listener>()
  #version: string | undefined

  constructor(kube: KubeClient, path: string, signal: AbortSignal) {
    // A list-watch gets over whatever the server does, and listeners answer for themselves.
    void this.#follow(kube, path, signal).catch(() => undefined)
  }

  /** Tells what is there, then every change, until the signal aborts. */
  listen(listener: Listener, signal: AbortSignal): void {
    if (signal.aborted) return
    this.#listeners.add(listener)
    signal.addEventListener('abort', () => this.#listeners.delete(listener), { once: true })
    if (this.#version !== undefined)
      listener({ type: 'LISTED', objects: [...this.#known.values()], resourceVersion: this.#version })
  }

  async #follow(kube: KubeClient, path: string, signal: AbortSignal): Promise<void> {
    for await (const item of listWatch<KubernetesObject>(kube, { path, signal })) {
      this.#version = item.resourceVersion
      this.#remember(item)
      for (const listener of this.#listeners) listener(item)
    }
  }

  #remember(item: WatchItem<KubernetesObject>): void {
    if (item.type === 'LISTED') {
      this.#known.clear()
      for (const object of item.objects) this.#known.set(object.metadata?.name ?? '', object)
    } else if (item.type === 'DELETED') this.#known.delete(item.object.metadata?.name ?? '')
    else if ('object' in item) this.#known.set(item.object.metadata?.name ?? '', item.object)
  }
}

/** The feeds of one worker, by path; each begins when it is first asked for. */
export class Feeds {
  readonly #feeds = new Map<string, Feed>()
  readonly #closed = new AbortController()
  readonly #kube: KubeClient

  constructor(kube: KubeClient) {
    this.#kube = kube
  }

  of(path: string): Feed {
    const feed = this.#feeds.get(path) ?? new Feed(this.#kube, path, this.#closed.signal)
    this.#feeds.set(path, feed)
    return feed
  }

  close(): void {
    this.#closed.abort(new Error('the worker is done'))
  }
}
