import { afterEach, describe, it } from 'node:test'
import { expect } from 'chai'
import type { KubernetesObject } from '../contract/kubernetes.ts'
import { type ListWatchOptions, listWatch, type WatchItem } from './list-watch.ts'
import {
  configMap,
  events,
  failure,
  json,
  listOf,
  type ScriptedServer,
  scriptedServer,
} from './scripted-server.ts'

const PATH = '/api/v1/namespaces/default/configmaps'
let server: ScriptedServer

afterEach(() => server.stop())

/** Runs until the n-th item, at most ten seconds. */
async function take(count: number, options: Partial<ListWatchOptions> = {}): Promise<string[]> {
  const items: string[] = []
  const signal = AbortSignal.timeout(10_000)
  const watch = listWatch<KubernetesObject>(server.client, {
    path: PATH,
    signal,
    baseDelayMs: 1,
    maxDelayMs: 4,
    ...options,
  })
  for await (const item of watch) {
    items.push(summary(item))
    if (items.length === count) break
  }
  return items
}

function summary(item: WatchItem<KubernetesObject>): string {
  if (item.type === 'LISTED')
    return `LISTED ${item.objects.map((object) => object.metadata?.name).join(',')} @${item.resourceVersion}`
  if ('object' in item) return `${item.type} ${item.object.metadata?.name} @${item.resourceVersion}`
  return `${item.type} @${item.resourceVersion}`
}

const added = (name: string, version: string) => ({ type: 'ADDED', object: configMap(name, version) })
const bookmark = (version: string) => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: version } },
})
const expired = { type: 'ERROR', object: { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired' } }

/** The resourceVersion of every watch that was opened. */
function watchedFrom(): (string | null)[] {
  return server.requests
    .filter(({ query }) => query.has('watch'))
    .map(({ query }) => query.get('resourceVersion'))
}

describe('listWatch', () => {
  it('lists, then resumes from the last version after the server ends the watch, without listing again', async () => {
    server = await scriptedServer(
      json(200, listOf('7', configMap('a', '3'))),
      events([added('b', '8')], 'end'),
      events([added('c', '9')], 'open'),
    )
    expect(await take(3)).to.deep.equal(['LISTED a @7', 'ADDED b @8', 'ADDED c @9'])
    expect(watchedFrom()).to.deep.equal(['7', '8'])
  })

  it('resumes from a bookmark', async () => {
    server = await scriptedServer(
      json(200, listOf('7')),
      events([bookmark('50')], 'end'),
      events([added('b', '51')], 'open'),
    )
    expect(await take(3)).to.deep.equal(['LISTED  @7', 'BOOKMARK @50', 'ADDED b @51'])
    expect(watchedFrom()).to.deep.equal(['7', '50'])
  })

  for (const [what, answer] of [
    ['a 410 answer', failure(410, 'Expired')],
    ['a 410 event', events([expired], 'open')],
    [
      'a version from the future',
      failure(504, 'Timeout', { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large' }] }),
    ],
  ] as const)
    it(`marks the gap and lists again after ${what}`, async () => {
      server = await scriptedServer(
        json(200, listOf('7', configMap('a', '3'))),
        answer,
        json(200, listOf('20', configMap('b', '19'))),
        events([], 'open'),
      )
      expect(await take(3)).to.deep.equal(['LISTED a @7', 'GAP @7', 'LISTED b @20'])
    })

  it('goes on after any other error, however often, and reports each', async () => {
    const troubles: number[] = []
    server = await scriptedServer(
      failure(403, 'Forbidden'),
      failure(500, 'InternalError'),
      json(200, listOf('7')),
      ...Array.from({ length: 6 }, () => failure(503, 'ServiceUnavailable')),
      (_, response) => response.destroy(),
      events([added('b', '8')], 'break'),
      events([added('c', '9')], 'open'),
    )
    const items = await take(3, { onTrouble: (_, delayMs) => troubles.push(delayMs) })
    expect(items).to.deep.equal(['LISTED  @7', 'ADDED b @8', 'ADDED c @9'])
    // Nine of ten: the cut of a kept connection was repeated at once, as a read may be.
    expect(troubles).to.have.length(9)
    expect(watchedFrom().at(-1)).to.equal('8')
  })

  it('waits longer after each failure in a row, up to the cap, and starts anew when something came', async () => {
    const delays: number[] = []
    const down = failure(503, 'ServiceUnavailable')
    server = await scriptedServer(
      json(200, listOf('7')),
      ...[down, down, down, down, down],
      events([added('b', '8')], 'end'),
      down,
      events([added('c', '9')], 'open'),
    )
    await take(3, { baseDelayMs: 4, maxDelayMs: 10, onTrouble: (_, delayMs) => delays.push(delayMs) })
    expect(delays[0]).to.equal(0)
    expect(delays[1]).to.be.within(2, 4)
    expect(delays[2]).to.be.within(4, 8)
    expect(delays[4]).to.be.within(5, 10)
    expect(delays[5]).to.be.within(2, 4)
  })

  it('takes a silent connection for dead and resumes it', async () => {
    server = await scriptedServer(
      json(200, listOf('7')),
      events([added('b', '8')], 'open'),
      events([added('c', '9')], 'open'),
    )
    expect(await take(3, { idleMs: 500 })).to.deep.equal(['LISTED  @7', 'ADDED b @8', 'ADDED c @9'])
  })

  it('hands the consumer’s own exception back and closes the connection', async () => {
    const closed = Promise.withResolvers<void>()
    server = await scriptedServer(json(200, listOf('7')), (request, response) => {
      events([added('b', '8')], 'open')(request, response)
      response.on('close', closed.resolve)
    })
    const consume = async (): Promise<void> => {
      for await (const item of listWatch(server.client, { path: PATH, signal: AbortSignal.timeout(10_000) }))
        if (item.type === 'ADDED') throw new Error('the consumer broke')
    }
    const error = await consume().catch((caught: unknown) => caught)
    expect(error).to.have.property('message', 'the consumer broke')
    await closed.promise
  })

  it('ends quietly when the signal aborts, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>()
    const controller = new AbortController()
    server = await scriptedServer(json(200, listOf('7')), (request, response) => {
      events([added('b', '8')], 'open')(request, response)
      response.on('close', closed.resolve)
    })
    const seen: string[] = []
    for await (const item of listWatch<KubernetesObject>(server.client, {
      path: PATH,
      signal: controller.signal,
    })) {
      seen.push(summary(item))
      if (item.type === 'ADDED') controller.abort()
    }
    await closed.promise
    expect(seen).to.deep.equal(['LISTED  @7', 'ADDED b @8'])
  })

  it('follows pages, and lists in one piece when a page expired', async () => {
    const first = {
      ...listOf('7', configMap('a', '1')),
      metadata: { resourceVersion: '7', continue: 'more' },
    }
    server = await scriptedServer(
      json(200, first),
      failure(410, 'Expired'),
      json(200, listOf('9', configMap('a', '1'), configMap('b', '8'))),
    )
    expect(await take(1)).to.deep.equal(['LISTED a,b @9'])
    expect(server.requests[1]?.query.get('continue')).to.equal('more')
    expect(server.requests[2]?.query.has('limit')).to.equal(false)
  })
})
