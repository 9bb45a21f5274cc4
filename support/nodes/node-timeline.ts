import { listWatch, type WatchItem } from '../../src/kube/list-watch.ts'
import { collectionPath } from '../../src/kube/paths.ts'
import type { PoolwrightWorld } from '../world.ts'
import { type ClusterNode, showNode } from './node.ts'

/** What became of the cluster's nodes, as a watch saw it: evidence, never a verdict. Attached at the end. */
export class NodeTimeline {
  readonly #lines: string[] = []
  readonly #last = new Map<string, string>()

  constructor(world: PoolwrightWorld) {
    const over = new AbortController()
    const followed = this.#follow(world, AbortSignal.any([world.signal, over.signal])).catch((error: Error) =>
      this.#add(`the watch broke: ${error.message}`),
    )
    world.defer(async () => {
      over.abort()
      await followed
      if (this.#lines.length === 0) return
      world.attach(this.#lines.join('\n'), { mediaType: 'text/plain', fileName: 'nodes over time.txt' })
    })
  }

  async #follow({ kube }: PoolwrightWorld, signal: AbortSignal): Promise<void> {
    const path = collectionPath('v1', 'nodes')
    for await (const item of listWatch<ClusterNode>(kube, { path, signal })) this.#see(item)
  }

  #see(item: WatchItem<ClusterNode>): void {
    if (item.type === 'GAP') this.#add('changes may have been missed')
    const nodes = item.type === 'LISTED' ? item.objects : 'object' in item ? [item.object] : []
    for (const node of nodes) {
      const name = node.metadata?.name ?? ''
      const told = item.type === 'DELETED' ? `${name} is gone` : showNode(node)
      if (this.#last.get(name) !== told) this.#add(told)
      this.#last.set(name, told)
    }
  }

  #add(what: string): void {
    this.#lines.push(`${new Date().toISOString()}  ${what}`)
  }
}
