import { listWatch, type WatchItem } from '../../src/kube/list-watch.ts'
import { collectionPath } from '../../src/kube/paths.ts'
import { textTable } from '../evidence/text-table.ts'
import type { PoolwrightWorld } from '../world.ts'
import { type EndpointSlice, endpointsOf, showEndpoint } from './service.ts'

const SERVICE_NAME = 'kubernetes.io/service-name'

/** Who was behind the scenario's Services and when, as a watch saw it: evidence, never a verdict. Attached at the end. */
export class EndpointTimeline {
  readonly #rows: string[][] = []
  readonly #last = new Map<string, string>()

  constructor(world: PoolwrightWorld) {
    const over = new AbortController()
    const followed = this.#follow(world, AbortSignal.any([world.signal, over.signal])).catch((error: Error) =>
      this.#add('', `the watch broke: ${error.message}`),
    )
    world.defer(async () => {
      over.abort()
      await followed
      if (this.#rows.length === 0) return
      const text = textTable(['time', 'service', 'endpoints'], this.#rows)
      world.attach(text, { mediaType: 'text/plain', fileName: 'endpoints by time.txt' })
    })
  }

  async #follow({ kube, namespace }: PoolwrightWorld, signal: AbortSignal): Promise<void> {
    const path = collectionPath('discovery.k8s.io/v1', 'endpointslices', namespace)
    for await (const item of listWatch<EndpointSlice>(kube, { path, signal })) this.#see(item)
  }

  #see(item: WatchItem<EndpointSlice>): void {
    if (item.type === 'GAP') this.#add('', 'changes may have been missed')
    const slices = item.type === 'LISTED' ? item.objects : 'object' in item ? [item.object] : []
    for (const slice of slices) {
      const service = slice.metadata?.labels?.[SERVICE_NAME] ?? ''
      const endpoints = [...endpointsOf([slice])].map(([pod, one]) => `${pod} ${showEndpoint(one)}`)
      const told = item.type === 'DELETED' ? 'gone' : endpoints.toSorted().join(', ') || 'none'
      if (this.#last.get(service) === told) continue
      this.#last.set(service, told)
      this.#add(service, told)
    }
  }

  #add(service: string, what: string): void {
    this.#rows.push([new Date().toISOString(), service, what])
  }
}
