import { listWatch, type WatchItem } from '../../src/kube/list-watch.ts'
import { isReady, type Pod } from '../pods/pod.ts'
import { podsOf } from '../pods/pods.ts'
import type { PoolwrightWorld } from '../world.ts'

/** How many pods were ready at every moment, as one unbroken watch saw it. */
export class ReadyCount {
  readonly #ready = new Map<string, boolean>()
  readonly #lines: string[] = []
  #least: number | undefined
  #missed: string | undefined

  /** The fewest that were ready at one time so far. Throws where not every moment was seen. */
  get least(): number {
    if (this.#missed !== undefined) throw new Error(`not every moment was seen: ${this.#missed}`)
    if (this.#least === undefined) throw new Error('no moment was seen yet')
    return this.#least
  }

  /** Takes what a watch says. */
  take(item: WatchItem<Pod>): void {
    if (item.type === 'GAP') this.miss(item.reason)
    if (item.type === 'LISTED') {
      this.#ready.clear()
      for (const pod of item.objects) this.#ready.set(pod.metadata?.uid ?? '', isReady(pod))
    } else if ('object' in item) {
      const uid = item.object.metadata?.uid ?? ''
      if (item.type === 'DELETED') this.#ready.delete(uid)
      else this.#ready.set(uid, isReady(item.object))
    } else return
    const count = [...this.#ready.values()].filter(Boolean).length
    this.#least = Math.min(this.#least ?? count, count)
    this.#lines.push(`${new Date().toISOString()}  ${count} ready of ${this.#ready.size}`)
  }

  /** From here on it can't tell. */
  miss(why: string): void {
    this.#missed = why
    this.#lines.push(`${new Date().toISOString()}  changes may have been missed: ${why}`)
  }

  /** A line for each change, by the clock of the suite. */
  toString(): string {
    return this.#lines.join('\n')
  }
}

/** Counts the pods with these labels until the scenario is over; what was counted is attached then. */
export function countReady(
  world: PoolwrightWorld,
  name: string,
  labels: Readonly<Record<string, string>>,
): ReadyCount {
  const count = new ReadyCount()
  const over = new AbortController()
  const labelSelector = Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
  const signal = AbortSignal.any([world.signal, over.signal])
  const follow = async (): Promise<void> => {
    const watching = { path: podsOf(world).path, labelSelector, signal }
    for await (const item of listWatch<Pod>(world.kube, watching)) count.take(item)
  }
  const followed = follow().catch((error: Error) => count.miss(error.message))
  world.defer(async () => {
    over.abort()
    await followed
    const fileName = `ready pods of ${name} over time.txt`
    world.attach(String(count), { mediaType: 'text/plain', fileName })
  })
  return count
}
