import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { KubeClient } from '../../src/kube/client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { Barrier } from './barrier.ts'
import { InterferenceProxy } from './proxy.ts'
import { type Action, type Occurrences, WRITES } from './rule.ts'
import type { Upstream } from './upstream.ts'

const POOL = '/api/v1/namespaces/ns/configmaps/pool'

describe('interference proxy', () => {
  const received: { method: string; url: string; authorization?: string | undefined; body: string }[] = []
  const agent = new Agent({ keepAlive: true })
  let api: Server
  let upstream: Upstream
  let proxy: InterferenceProxy
  let client: KubeClient

  before(async () => {
    api = createServer((request, response) => void playApi(request, response)).listen(0, '127.0.0.1')
    await once(api, 'listening')
    const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    upstream = { server, agent, headers: async () => ({ authorization: 'Bearer upstream-token' }) }
  })

  after(() => {
    agent.destroy()
    api.closeAllConnections()
    api.close()
  })

  beforeEach(async () => {
    received.length = 0
    proxy = await InterferenceProxy.start(upstream)
    client = new KubeClient(await loadKubeconfig(proxy.kubeconfig('alice')))
  })

  afterEach(async () => {
    client.close()
    await proxy.close()
  })

  async function playApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const { method = '', url = '', headers } = request
    received.push({ method, url, authorization: headers.authorization, body })
    response.setHeader('content-type', 'application/json')
    if (url.includes('watch=true')) return void response.write('{"type":"ADDED","object":{}}\n')
    response.end(
      JSON.stringify({ kind: 'ConfigMap', metadata: { resourceVersion: `${100 + received.length}` } }),
    )
  }

  function interfere(action: Action, occurrences: Occurrences = 'always'): () => void {
    return proxy.interfere({
      name: 'rule',
      verbs: WRITES,
      resource: 'configmaps',
      object: 'pool',
      occurrences,
      action,
    })
  }

  const write = () =>
    client.request({ method: 'PUT', path: POOL, body: { metadata: { resourceVersion: '7' } } })

  it('passes a request on with the upstream’s credentials in place of its own', async () => {
    const { status } = await write()
    expect(status).to.equal(200)
    expect(received).to.deep.equal([
      {
        method: 'PUT',
        url: POOL,
        authorization: 'Bearer upstream-token',
        body: '{"metadata":{"resourceVersion":"7"}}',
      },
    ])
  })

  it('keeps a journal of who did what, with the versions sent and answered, and without any credential', async () => {
    await client.request({ path: `${POOL}?x=1` })
    await write()
    const shown = proxy.journal.exchanges.map(
      ({ client: by, verb, resource, namespace, name, path, versionSent, versionAnswered, code }) =>
        [by, verb, resource, namespace, name, path, versionSent, versionAnswered, code].join(' '),
    )
    expect(shown).to.deep.equal([
      `alice get configmaps ns pool ${POOL}  101 200`,
      `alice update configmaps ns pool ${POOL} 7 102 200`,
    ])
    expect(JSON.stringify(proxy.journal.exchanges)).not.to.match(/bearer|token/i)
  })

  it('lets nobody in without the token of one of its kubeconfigs', async () => {
    const connection = await loadKubeconfig(proxy.kubeconfig('bob'))
    const stranger = new KubeClient({ ...connection, token: 'guessed' })
    const { status } = await stranger.request({ path: POOL })
    stranger.close()
    expect(status).to.equal(401)
    expect(received).to.deep.equal([])
  })

  it('lets another party act between a read and each write', async () => {
    const acted: string[] = []
    interfere({
      kind: 'before',
      run: async ({ client: by }) => acted.push(`${by}, ${received.length} arrived`),
    })
    await client.request({ path: POOL })
    await write()
    await write()
    expect(acted).to.deep.equal(['alice, 1 arrived', 'alice, 2 arrived'])
    expect(proxy.journal.exchanges.map(({ interference }) => interference)).to.deep.equal([
      [],
      ['rule'],
      ['rule'],
    ])
  })

  it('drops the answer of a write that took effect', async () => {
    interfere({ kind: 'drop-answer' }, { first: 1 })
    const error = await write().catch((caught: Error) => caught)
    expect(error).to.be.an('error')
    expect(received.length, 'writes that arrived').to.equal(1)
    expect(proxy.journal.exchanges[0]).to.include({
      code: 200,
      versionAnswered: '101',
      lost: 'answer dropped',
    })
    expect((await write()).status, 'the next write').to.equal(200)
  })

  it('lets a write arrive long after its sender had no answer', async () => {
    const until = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<number | Error>()
    interfere(
      { kind: 'late', sent: async () => undefined, until: until.promise, arrived: arrived.resolve },
      { first: 1 },
    )
    expect(await write().catch((caught: Error) => caught)).to.be.an('error')
    await client.request({ path: POOL })
    expect(proxy.isSettled, 'while a write is stuck').to.equal(false)
    until.resolve()
    expect(await arrived.promise).to.equal(200)
    expect(proxy.isSettled, 'once it has arrived').to.equal(true)
    expect(received.map(({ method, body }) => `${method} ${body}`)).to.deep.equal([
      'GET ',
      'PUT {"metadata":{"resourceVersion":"7"}}',
    ])
    expect(proxy.journal.exchanges[0]).to.include({ code: 200, lost: 'answer dropped' })
  })

  it('says so when a late write is not answered', async () => {
    const until = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<number | Error>()
    const gone = await InterferenceProxy.start({ ...upstream, server: 'http://127.0.0.1:1' })
    const alice = new KubeClient(await loadKubeconfig(gone.kubeconfig('alice')))
    try {
      const action = {
        kind: 'late',
        sent: async () => undefined,
        until: until.promise,
        arrived: arrived.resolve,
      } as const
      gone.interfere({ name: 'rule', verbs: WRITES, resource: 'configmaps', occurrences: 'always', action })
      await alice.request({ method: 'PUT', path: POOL, body: {} }).catch(() => undefined)
      until.resolve()
      expect(await arrived.promise).to.be.an('error')
    } finally {
      alice.close()
      await gone.close()
    }
  })

  it('breaks a connection before the request arrives', async () => {
    interfere({ kind: 'reset' }, { first: 1 })
    expect(await write().catch((caught: Error) => caught)).to.be.an('error')
    expect(received).to.deep.equal([])
    expect(proxy.journal.exchanges[0]).to.include({ lost: 'reset' })
    expect(proxy.isSettled, 'as far as it can tell').to.equal(false)
  })

  it('plays the API’s refusals as proper Statuses', async () => {
    interfere({ kind: 'answer', code: 429, retryAfterSeconds: 3 })
    const { status, headers, body } = await write()
    expect(status).to.equal(429)
    expect(headers['retry-after']).to.equal('3')
    expect(body).to.include({ kind: 'Status', reason: 'TooManyRequests', code: 429 })
    expect(received).to.deep.equal([])
  })

  it('touches the first few, or those after them, counted from when the rule is made', async () => {
    await write()
    interfere({ kind: 'answer', code: 409 }, { first: 1 })
    interfere({ kind: 'answer', code: 503 }, { after: 2 })
    const codes = [await write(), await write(), await write(), await write()].map(({ status }) => status)
    expect(codes).to.deep.equal([409, 200, 503, 503])
  })

  it('touches nothing that the rule does not name', async () => {
    interfere({ kind: 'answer', code: 500 })
    const others = [
      await client.request({ path: POOL }),
      await client.request({ method: 'PUT', path: `${POOL}-other`, body: {} }),
      await client.request({ method: 'PUT', path: '/api/v1/namespaces/ns/secrets/pool', body: {} }),
    ]
    expect(others.map(({ status }) => status)).to.deep.equal([200, 200, 200])
  })

  it('leaves requests alone once a rule is withdrawn', async () => {
    const withdraw = interfere({ kind: 'answer', code: 500 })
    expect((await write()).status).to.equal(500)
    withdraw()
    expect((await write()).status).to.equal(200)
  })

  it('never sends what a client gave up on while it was held', async () => {
    const held = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    interfere({
      kind: 'before',
      run: () => {
        held.resolve()
        return release.promise
      },
    })
    const caller = new AbortController()
    const outcome = client
      .request({ method: 'PUT', path: POOL, body: {}, signal: caller.signal })
      .catch((error: Error) => error)
    await held.promise
    caller.abort(new Error('gave up'))
    expect(await outcome).to.be.an('error')
    await eventually(() => proxy.journal.exchanges[0]?.until)
    release.resolve()
    expect(received).to.deep.equal([])
    expect(proxy.journal.exchanges[0]).to.include({ lost: 'client left' })
  })

  it('holds everybody back until as many parties have arrived', async () => {
    const barrier = new Barrier(2)
    interfere({ kind: 'before', run: ({ client: by }) => barrier.arrive(by) })
    const other = new KubeClient(await loadKubeconfig(proxy.kubeconfig('bob')))
    const early = [write(), write()]
    await eventually(() => proxy.journal.exchanges.length === 2)
    expect(received, 'writes that arrived before the second party').to.deep.equal([])
    await other.request({ method: 'PUT', path: POOL, body: {} })
    await Promise.all(early)
    other.close()
    expect(received.length).to.equal(3)
  })

  it('streams a watch while it is open', async () => {
    const watch = await client.stream(
      { path: '/api/v1/namespaces/ns/configmaps?watch=true' },
      AbortSignal.timeout(5_000),
    )
    const [chunk] = (await once(watch, 'data')) as [Buffer]
    watch.destroy()
    expect(chunk.toString()).to.include('"ADDED"')
    expect(proxy.journal.exchanges[0]).to.include({ verb: 'watch', code: 200 })
  })

  it('reports when the interference itself failed, and gives no answer that could be mistaken for the API’s', async () => {
    interfere({ kind: 'before', run: () => Promise.reject(new Error('the other party stumbled')) })
    expect(await write().catch((caught: Error) => caught)).to.be.an('error')
    expect(proxy.failures.map(String)).to.deep.equal(['Error: the other party stumbled'])
    expect(received).to.deep.equal([])
  })

  it('keeps its kubeconfigs to their owner and removes them when it closes', async () => {
    const path = proxy.kubeconfig('carol')
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    await proxy.close()
    expect(() => readFileSync(path)).to.throw('ENOENT')
  })

  it('ends what it holds when it closes', async () => {
    const held = Promise.withResolvers<void>()
    interfere({
      kind: 'before',
      run: () => {
        held.resolve()
        return new Promise(() => {})
      },
    })
    const outcome = write().catch((error: Error) => error)
    await held.promise
    await proxy.close()
    expect(await outcome).to.be.an('error')
    expect(proxy.failures).to.deep.equal([])
  })
})

/** Waits, turn by turn of the event loop, for something that happens on another connection. */
async function eventually(reached: () => unknown): Promise<void> {
  for (let turn = 0; !reached(); turn++) {
    if (turn === 10_000) throw new Error('it did not happen')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
