import { afterEach, describe, it } from 'node:test'
import { expect } from 'chai'
import type { KubernetesObject } from '../contract/kubernetes.ts'
import {
  configMap,
  events,
  failure,
  json,
  listOf,
  type ScriptedServer,
  scriptedServer,
} from './scripted-server.ts'
import { WaitLimitError, waitFor } from './wait-for.ts'

let server: ScriptedServer
afterEach(() => server.stop())

function wait(until: (names: string[]) => unknown, limitMs: number, signal = AbortSignal.timeout(10_000)) {
  return waitFor<KubernetesObject, unknown>(server.client, {
    for: 'the test',
    path: '/api/v1/namespaces/default/configmaps',
    until: (objects) => until(objects.map((object) => object.metadata?.name ?? '')),
    limitMs,
    signal,
  })
}

describe('waitFor', () => {
  it('answers what the predicate finds, in the list or in a later change', async () => {
    server = await scriptedServer(
      json(200, listOf('7', configMap('a', '3'))),
      events(
        [
          { type: 'ADDED', object: configMap('b', '8') },
          { type: 'DELETED', object: configMap('a', '9') },
        ],
        'open',
      ),
    )
    expect(await wait((names) => names.join() === 'b' && 'only b is left', 10_000)).to.equal('only b is left')
  })

  it('forgets after a gap what is no longer there', async () => {
    server = await scriptedServer(
      json(200, listOf('7', configMap('a', '3'))),
      failure(410, 'Expired'),
      json(200, listOf('20')),
      events([], 'open'),
    )
    expect(await wait((names) => names.length === 0, 10_000)).to.equal(true)
  })

  it('says at the limit what was waited for and the last state seen', async () => {
    server = await scriptedServer(
      json(200, listOf('7', configMap('a', '3'))),
      events([{ type: 'MODIFIED', object: { ...configMap('a', '8'), data: { colour: 'teal' } } }], 'open'),
    )
    const error = await wait(() => false, 200).catch((caught: unknown) => caught)
    expect(error).to.be.instanceOf(WaitLimitError)
    expect(error)
      .to.have.property('message')
      .that.matches(/200 ms for the test; last seen: .*teal/)
  })

  it('says at the limit that nothing could be listed, and why', async () => {
    server = await scriptedServer(failure(403, 'Forbidden'))
    const error = await wait(() => true, 200).catch((caught: unknown) => caught)
    expect(error)
      .to.have.property('message')
      .that.matches(/could not be listed.*Forbidden for the test/)
  })

  it('never shows the data of a Secret', async () => {
    const metadata = { name: 's', resourceVersion: '3', annotations: { last: 'cGxhbnRlZA==' } }
    const secret = { kind: 'Secret', metadata, data: { token: 'cGxhbnRlZA==' } }
    server = await scriptedServer(json(200, listOf('7', secret)), events([], 'open'))
    const error = await wait(() => false, 100).catch((caught: unknown) => caught)
    expect(error).to.have.property('message').that.includes('not shown').and.not.includes('cGxhbnRlZA')
  })

  it('ends with the signal’s own reason on abort', async () => {
    const controller = new AbortController()
    server = await scriptedServer(json(200, listOf('7')), (request, response) => {
      events([], 'open')(request, response)
      controller.abort(new Error('the scenario is over'))
    })
    const error = await wait(() => false, 10_000, controller.signal).catch((caught: unknown) => caught)
    expect(error).to.have.property('message', 'the scenario is over')
  })
})
