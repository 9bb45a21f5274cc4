import type { KubeClient } from '../../src/kube/client.ts'
import { listWatch, type WatchItem } from '../../src/kube/list-watch.ts'
import { LookAgain, type LookAgainWait } from './look-again.ts'
import { type Pod, showPod } from './pod.ts'

/** What the API said of a pod. */
export interface Moment {
  /** When it came here, in milliseconds since 1970. */
  readonly at: number
  readonly pod: Pod
  /** It is gone since, and this was the last that was said of it. */
  readonly gone: boolean
}

/**
 * All that the API says of the pods of a namespace from the first one on, so that also what became of those that are
 * gone can be told.
 */
export class PodRecord {
  readonly #moments = new Map<string, Moment[]>()
  readonly #news = new LookAgain()

  constructor(kube: KubeClient, path: string, signal: AbortSignal) {
    // A list-watch gets over whatever the server does; where it ends early, waits say what was seen last.
    void this.#follow(kube, path, signal).catch(() => undefined)
  }

  /** Each pod's moments, the pods in the order in which they were first seen. Two of one name are two. */
  get pods(): readonly (readonly Moment[])[] {
    return [...this.#moments.values()]
  }

  /** The youngest pod of this name. */
  of(name: string): readonly Moment[] {
    return this.pods.findLast(([first]) => first?.pod.metadata?.name === name) ?? []
  }

  /** Waits until all that was said of the youngest pod of this name satisfies the predicate. */
  until<R>(
    name: string,
    what: string,
    predicate: (moments: readonly Moment[]) => R | undefined | null | false,
    bounds: Pick<LookAgainWait<R>, 'limitMs' | 'signal'>,
  ): Promise<R> {
    return this.#news.until({
      ...bounds,
      for: `pod ${name} ${what}`,
      until: () => predicate(this.of(name)),
      show: () => {
        const last = this.of(name).at(-1)
        return last ? showPod(last.pod) : `no pod ${name}`
      },
    })
  }

  /** Waits until the youngest pod of this name is gone; answers the last that was said of it. */
  gone(name: string, bounds: Pick<LookAgainWait<Pod>, 'limitMs' | 'signal'>): Promise<Pod> {
    const ended = (moments: readonly Moment[]): Pod | false | undefined => {
      const last = moments.at(-1)
      return last?.gone && last.pod
    }
    return this.until(name, 'to be gone', ended, bounds)
  }

  /** Takes what a watch says. */
  take(item: WatchItem<Pod>, at = Date.now()): void {
    if (item.type === 'BOOKMARK' || item.type === 'GAP') return
    if (item.type === 'LISTED') {
      const there = new Set(item.objects.map(({ metadata }) => metadata?.uid))
      for (const [uid, moments] of this.#moments) {
        const last = moments.at(-1)
        if (last && !last.gone && !there.has(uid)) moments.push({ at, pod: last.pod, gone: true })
      }
      for (const pod of item.objects) this.#add({ at, pod, gone: false })
    } else this.#add({ at, pod: item.object, gone: item.type === 'DELETED' })
    this.#news.tell()
  }

  #add(moment: Moment): void {
    const uid = moment.pod.metadata?.uid ?? ''
    const moments = this.#moments.get(uid) ?? []
    moments.push(moment)
    this.#moments.set(uid, moments)
  }

  async #follow(kube: KubeClient, path: string, signal: AbortSignal): Promise<void> {
    for await (const item of listWatch<Pod>(kube, { path, signal })) this.take(item)
  }
}
