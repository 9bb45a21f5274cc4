import { afterEach, test } from 'node:test'
import { expect } from 'chai'
import {
  configMap,
  events,
  json,
  listOf,
  type ScriptedServer,
  scriptedServer,
} from '../src/kube/scripted-server.ts'
import { Feeds, type Listener } from './windows-feed.ts'

const PATH = '/api/v1/namespaces/default/configmaps'

let server: ScriptedServer
afterEach(() => server.stop())

/** Names as a listener is told them, and a promise of the first that matches. */
function note(wanted: string) {
  const told: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const listener: Listener = (item) => {
    const objects = item.type === 'LISTED' ? item.objects : 'object' in item ? [item.object] : []
    told.push(`${item.type} ${objects.map(({ metadata }) => metadata?.name).join()}`)
    if (told.at(-1) === wanted) resolve()
  }
  return { told, listener, heard: promise }
}

test('who listens late is told what is there, over the one connection; who has left is told nothing more', async () => {
  const later = Promise.withResolvers<void>()
  server = await scriptedServer(json(200, listOf('7', configMap('a', '3'))), (request, response) => {
    events([{ type: 'ADDED', object: configMap('b', '8') }], 'open')(request, response)
    void later.promise.then(() =>
      response.write(`${JSON.stringify({ type: 'DELETED', object: configMap('a', '9') })}\n`),
    )
  })
  const feeds = new Feeds(server.client)
  const early = note('ADDED b')
  const leaving = new AbortController()
  feeds.of(PATH).listen(early.listener, leaving.signal)
  await early.heard
  leaving.abort()
  const late = note('DELETED a')
  feeds.of(PATH).listen(late.listener, new AbortController().signal)
  later.resolve()
  await late.heard
  feeds.close()
  expect(early.told).to.deep.equal(['LISTED a', 'ADDED b'])
  expect(late.told).to.deep.equal(['LISTED a,b', 'DELETED a'])
})
