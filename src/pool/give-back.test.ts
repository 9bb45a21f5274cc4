import { afterEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { ApiFailure } from '../api/api-failure.ts'
import { INSTANCES_CONFIG_MAP } from '../contract/names.ts'
import { events, json, listOf, type ScriptedServer, scriptedServer } from '../kube/scripted-server.ts'
import { giveBack } from './give-back.ts'
import { openJournal } from './journal.ts'
import { failure, held, node, open } from './pool-fixture.ts'
import { addInstances } from './windows-instances.ts'

let server: ScriptedServer
afterEach(() => server.stop())

describe('hosts given back', () => {
  it('are released one by one: a release that fails never keeps the others, and is told at the end', async () => {
    server = await scriptedServer(json(200, listOf('1')))
    const { api, data, pool } = open({ '192.0.2.1': held('t'), '192.0.2.2': held('t') })
    const { entries: hosts } = await pool.list()
    let releases = 0
    api.before = (verb, name) => {
      if (verb === 'patch' && name === 'pool' && ++releases === 1)
        throw new ApiFailure('forbidden', 'no patch for you', { code: 403 })
    }
    const place = { namespace: 'windows', configMap: 'pool', journal: openJournal() }
    const context = { api, ...place, signal: AbortSignal.timeout(10_000), kube: server.client }
    const released: string[] = []
    const work = giveBack(context, {
      testId: 't',
      hosts,
      unlist: 'of hosts',
      suspect: new Set<string>(),
      limitMs: 5_000,
      options: { retry: { attempts: 1 } },
      released,
    })
    await failure(work, 'Forbidden')
    expect(released).to.deep.equal(['192.0.2.2'])
    expect(data()['192.0.2.1']).to.include('test-id: t')
    expect(data()['192.0.2.2']).to.include('status: available')
  })

  it('are unlisted only once they are Nodes: an operator at work on them could not be seen to end', async () => {
    const came = { type: 'ADDED', object: node('byoh-1', ['192.0.2.1'], 'False') }
    server = await scriptedServer(json(200, listOf('1')), events([came], 'open'), json(200, listOf('3')))
    const { api, data, work } = await givingBackListed(5_000)
    let asked = 0
    api.before = (verb, name) => {
      if (verb === 'patch' && name === INSTANCES_CONFIG_MAP) asked = server.requests.length
    }
    expect(await work()).to.deep.equal([])
    expect(asked, 'requests for Nodes before the host was unlisted').to.equal(2)
    expect(data()['192.0.2.1']).to.include('status: available')
  })

  it('are quarantined when no Node came of them: the operator may make one yet', async () => {
    server = await scriptedServer(json(200, listOf('1')), events([], 'open'), json(200, listOf('1')))
    const { data, work } = await givingBackListed(300)
    expect(await work()).to.deep.equal([])
    expect(data()['192.0.2.1']).to.include('status: quarantined')
  })

  it('are quarantined when they turn out to be listed only as they are unlisted', async () => {
    server = await scriptedServer(json(200, listOf('1')))
    const { api, data, work } = await givingBackListed(300)
    const listing = `configmaps/${INSTANCES_CONFIG_MAP}`
    const late = api.objects.get(listing)
    api.objects.delete(listing)
    let looks = 0
    api.before = (verb, name) => {
      if (verb === 'get' && name === INSTANCES_CONFIG_MAP && ++looks === 2 && late)
        api.objects.set(listing, late)
    }
    expect(await work()).to.deep.equal([])
    expect(data()['192.0.2.1']).to.include('status: quarantined')
  })
})

/** A host that its test has listed, about to be given back. */
async function givingBackListed(limitMs: number) {
  const { api, data, pool } = open({ '192.0.2.1': held('t') })
  const { entries: hosts } = await pool.list()
  const place = { namespace: 'windows', configMap: 'pool', journal: openJournal() }
  const context = { api, ...place, signal: AbortSignal.timeout(10_000), kube: server.client }
  await addInstances(context, 't', hosts, {})
  const give = {
    testId: 't',
    hosts,
    unlist: 'all',
    suspect: new Set<string>(),
    limitMs,
    options: {},
  } as const
  return { api, data, work: () => giveBack(context, give) }
}
