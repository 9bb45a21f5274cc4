import { afterEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { ApiFailure } from '../api/api-failure.ts'
import { json, listOf, type ScriptedServer, scriptedServer } from '../kube/scripted-server.ts'
import { giveBack } from './give-back.ts'
import { openJournal } from './journal.ts'
import { failure, held, open } from './pool-fixture.ts'

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
})
