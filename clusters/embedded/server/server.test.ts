import { once } from 'node:events'
import { Agent, request as send } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { connect } from 'node:tls'
import { expect } from 'chai'
import { at, own } from './json/access.ts'
import { type RunningServer, startServer } from './server.ts'
import { TestClient } from './test-client.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

let server: RunningServer
let client: TestClient

before(async () => {
  server = await startServer({ tokens: { guest: { name: 'guest', groups: ['system:authenticated'] } } })
  client = new TestClient(server)
})

after(async () => {
  client.close()
  await server.close()
})

describe('who may ask', () => {
  it('lets the administrator in by token and by client certificate', async () => {
    expect((await client.ask('/api/v1/namespaces')).code).to.equal(200)
    const { users } = JSON.parse(server.kubeconfig)
    const decode = (text: string): Buffer => Buffer.from(text, 'base64')
    const agent = new Agent({
      ca: server.authority,
      cert: decode(users[0].user['client-certificate-data']),
      key: decode(users[0].user['client-key-data']),
    })
    const request = send({ host: '127.0.0.1', port: server.port, path: '/api/v1/namespaces', agent }).end()
    const [response] = await once(request, 'response')
    response.resume()
    expect(response.statusCode).to.equal(200)
    agent.destroy()
  })

  it('lets further tokens in, refuses unknown ones, and shows strangers only what is public', async () => {
    expect((await client.ask('/api/v1/namespaces', { token: 'guest' })).code).to.equal(200)
    expect((await client.ask('/healthz', { token: 'nonsense' })).code).to.equal(401)
    expect((await client.ask('/healthz', { token: null })).text).to.equal('ok')
    const refused = await client.ask(CONFIG_MAPS, { token: null })
    expect(refused.code).to.equal(403)
    expect(refused.body.message).to.equal(
      'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
    )
  })

  it('refuses everything without a name when anonymous requests are off', async () => {
    const strict = await startServer({ anonymousAuth: false })
    const stranger = new TestClient(strict)
    expect((await stranger.ask('/healthz', { token: null })).code).to.equal(401)
    stranger.close()
    await strict.close()
  })
})

describe('a list that is continued', () => {
  it('with a token that is none, or of a time to come, is refused', async () => {
    const token = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64url')
    const bad = await client.ask(`${CONFIG_MAPS}?continue=abc!`)
    expect(bad.code).to.equal(400)
    expect(bad.body.message).to.match(/^invalid continue token: continue key is not valid: /)
    const early = token({ v: 'meta.k8s.io/v1', rv: server.store.revision + 1000, start: 'default/a' })
    expect((await client.ask(`${CONFIG_MAPS}?continue=${early}`)).code).to.equal(504)
  })
})

describe('hostile input', () => {
  it('stores prototype keys as the ordinary keys they are', async () => {
    const text =
      '{"metadata":{"name":"proto","labels":{"constructor":"c"}},"data":{"__proto__":"p","constructor":"x","toString":"t"}}'
    expect((await client.ask(CONFIG_MAPS, { method: 'POST', text })).code).to.equal(201)
    const patched = await client.ask(`${CONFIG_MAPS}/proto`, {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      text: '{"data":{"__proto__":"q","hasOwnProperty":"h"}}',
    })
    expect(patched.code).to.equal(200)
    const data = at((await client.ask(`${CONFIG_MAPS}/proto`)).body, 'data') as Record<string, unknown>
    expect(Object.keys(data).sort()).to.deep.equal(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])
    expect(own(data, '__proto__')).to.equal('q')
    const selected = await client.ask(`${CONFIG_MAPS}?labelSelector=toString`)
    expect(selected.body.items).to.deep.equal([])
  })

  it('refuses bodies that are no JSON, nested without end or too large', async () => {
    for (const text of ['{', '[', '"', '{"a":}', 'nul', '\u0000', '{"metadata":{"name":"x"}}}']) {
      expect((await client.ask(CONFIG_MAPS, { method: 'POST', text })).code, text).to.equal(400)
    }
    const deep = `{"metadata":{"name":"deep"},"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect((await client.ask(CONFIG_MAPS, { method: 'POST', text: deep })).code).to.equal(400)
    const deepPatch = { method: 'PATCH', contentType: 'application/merge-patch+json', text: deep }
    expect((await client.ask(`${CONFIG_MAPS}/kube-root-ca.crt`, deepPatch)).code).to.equal(400)
    const huge = await client.ask(CONFIG_MAPS, { method: 'POST', text: 'x'.repeat(4 * 1024 * 1024) })
    expect(huge.code).to.equal(413)
    expect((await client.ask('/healthz')).text).to.equal('ok')
  })

  it('answers paths and queries that cannot be decoded', async () => {
    expect((await client.ask('/api/v1/namespaces/%ff/configmaps')).code).to.equal(404)
    expect((await client.ask('/api/v1/configmaps?labelSelector=%ff%')).code).to.equal(400)
    expect((await client.ask('//')).code).to.equal(404)
  })

  it('survives connections that end in the middle of a request', async () => {
    const socket = connect({ port: server.port, host: '127.0.0.1', ca: server.authority })
    await once(socket, 'secureConnect')
    const head = [
      `POST ${CONFIG_MAPS} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${server.token}`,
      'Content-Length: 1000',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{"metadata":`)
    socket.destroy()
    expect((await client.ask('/healthz')).text).to.equal('ok')
  })
})

describe('numbers', () => {
  it('keep every digit of an int64 in a custom resource', async () => {
    const definition = {
      metadata: { name: 'counters.numbers.example.com' },
      spec: {
        group: 'numbers.example.com',
        scope: 'Namespaced',
        names: { plural: 'counters', kind: 'Counter' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: { type: 'object', properties: { n: { type: 'integer' }, m: { type: 'integer' } } },
                },
              },
            },
          },
        ],
      },
    }
    expect((await client.ask(CRDS, { method: 'POST', body: definition })).code).to.equal(201)
    const counters = '/apis/numbers.example.com/v1/namespaces/default/counters'
    const text =
      '{"apiVersion":"numbers.example.com/v1","kind":"Counter","metadata":{"name":"c"},"spec":{"n":9007199254740993}}'
    expect((await client.ask(counters, { method: 'POST', text })).code).to.equal(201)
    const patched = await client.ask(`${counters}/c`, {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      text: '{"spec":{"m":-9223372036854775808}}',
    })
    expect(patched.code).to.equal(200)
    const { text: read } = await client.ask(`${counters}/c`)
    expect(read).to.include('"n":9007199254740993').and.to.include('"m":-9223372036854775808')
  })
})

describe('what is not implemented', () => {
  it('is refused by name instead of being ignored', async () => {
    const apply = { method: 'PATCH', contentType: 'application/apply-patch+yaml', text: '{}' }
    const refusals = await Promise.all([
      client.ask(`${CONFIG_MAPS}/a?fieldManager=m`, apply),
      client.ask('/api/v1/namespaces/default/pods'),
      client.ask('/apis/apps/v1/namespaces/default/deployments/d/scale'),
      client.ask(`${CONFIG_MAPS}/kube-root-ca.crt`, {
        method: 'DELETE',
        body: { propagationPolicy: 'Foreground' },
      }),
    ])
    for (const { code, body } of refusals) {
      expect(code).to.equal(501)
      expect(body.reason).to.equal('NotImplemented')
    }
    const protobuf = { method: 'POST', contentType: 'application/vnd.kubernetes.protobuf', text: 'k8s' }
    expect((await client.ask(CONFIG_MAPS, protobuf)).code).to.equal(415)
  })
})

describe('what changes a request', () => {
  it('is refused where it makes no sense, and nothing happens', async () => {
    await client.ask(CONFIG_MAPS, { method: 'POST', body: { metadata: { name: 'kept' } } })
    const deletion = await client.ask(`${CONFIG_MAPS}/kept?gracePeriodSeconds=abc`, { method: 'DELETE' })
    expect(deletion.code).to.equal(400)
    expect(deletion.body.message).to.equal('strconv.ParseInt: parsing "abc": invalid syntax')
    expect((await client.ask(`${CONFIG_MAPS}?timeoutSeconds=abc`)).code).to.equal(400)
    expect((await client.ask(`${CONFIG_MAPS}/kept`)).code).to.equal(200)
    expect((await client.ask(`${CONFIG_MAPS}/kept`, { method: 'HEAD' })).code).to.equal(405)
  })

  it('says how dependents are to be treated, once and in one of three words', async () => {
    await client.ask(CONFIG_MAPS, { method: 'POST', body: { metadata: { name: 'propagated' } } })
    const path = `${CONFIG_MAPS}/propagated`
    const unsupported =
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Nope": supported values: "Foreground", "Background", "Orphan", "nil"'
    const twice =
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Background": orphanDependents and deletionPropagation cannot be both set'
    for (const [query, body, message] of [
      ['?propagationPolicy=Nope', undefined, unsupported],
      ['', { propagationPolicy: 'Nope' }, unsupported],
      ['?propagationPolicy=Background&orphanDependents=False', undefined, twice],
      ['', { propagationPolicy: 'Background', orphanDependents: true }, twice],
    ] as const) {
      for (const each of [path, CONFIG_MAPS]) {
        const refused = await client.ask(`${each}${query}`, { method: 'DELETE', body })
        expect(refused.code, query).to.equal(422)
        expect(refused.body.message).to.equal(message)
      }
    }
    const honoured = await client.ask(`${path}?orphanDependents=True`, { method: 'DELETE' })
    expect(honoured.code).to.equal(501)
    expect((await client.ask(`${path}?orphanDependents=False`, { method: 'DELETE' })).code).to.equal(200)
  })

  it('is checked where it is not kept: the field manager', async () => {
    for (const [manager, said] of [
      ['x'.repeat(129), 'fieldManager: Too long: may not be more than 128 bytes'],
      ['a%0A', 'invalid character U+000A (at position 1)'],
    ] as const) {
      const body = { metadata: { name: 'managed' } }
      const asked = await client.ask(`${CONFIG_MAPS}?fieldManager=${manager}`, { method: 'POST', body })
      expect(asked.code).to.equal(422)
      expect(asked.body.message).to.contain(said)
    }
  })

  it('is never ignored: whose name it is sent in', async () => {
    const asked = await client.ask(CONFIG_MAPS, { headers: { 'Impersonate-User': 'nobody' } })
    expect(asked.code).to.equal(501)
    expect(asked.body.message).to.contain('impersonate')
  })
})

describe('a pattern on which a match backtracks for ever', () => {
  it('is given up, and everybody else is served', async () => {
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } } },
    }
    const body = {
      metadata: { name: 'traps.patterns.example.com' },
      spec: {
        group: 'patterns.example.com',
        scope: 'Namespaced',
        names: { plural: 'traps', singular: 'trap', kind: 'Trap', listKind: 'TrapList' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    }
    expect((await client.ask(CRDS, { method: 'POST', body })).code).to.equal(201)
    const traps = '/apis/patterns.example.com/v1/namespaces/default/traps'
    const trap = (name: string, a: string) => ({
      method: 'POST',
      body: { apiVersion: 'patterns.example.com/v1', kind: 'Trap', metadata: { name }, spec: { a } },
    })
    expect((await client.ask(traps, trap('honest', 'aaa'))).code).to.equal(201)
    expect((await client.ask(traps, trap('wrong', 'b'))).code).to.equal(422)
    const refused = await client.ask(traps, trap('hostile', `${'a'.repeat(200)}!`))
    expect(refused.code).to.equal(501)
    expect(refused.body.message).to.contain('spec.a').and.to.contain('^(a+)+$')
  })
})

describe('duplicate and unknown fields', () => {
  it('are refused when strict, also in a patch, and warned of otherwise', async () => {
    const text = '{"metadata":{"name":"twice"},"data":{"a":"1","a":"2"},"bogus":1}'
    const strict = await client.ask(`${CONFIG_MAPS}?fieldValidation=Strict`, { method: 'POST', text })
    expect(strict.body.message).to.contain(
      'strict decoding error: duplicate field "data.a", unknown field "bogus"',
    )
    const warned = await client.ask(CONFIG_MAPS, { method: 'POST', text })
    expect(warned.code).to.equal(201)
    expect(warned.headers.warning).to.contain('duplicate field')
    const patch = {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      text: '{"data":{"b":"1","b":"2"}}',
    }
    const refused = await client.ask(`${CONFIG_MAPS}/twice?fieldValidation=Strict`, patch)
    expect(refused.code).to.equal(422)
    expect(refused.body.message).to.contain('duplicate field "data.b"')
  })
})

describe('watches', () => {
  it('are forgotten when their client goes away', async () => {
    const before = server.store.followers
    const agent = new Agent({ ca: server.authority })
    const request = send({
      host: '127.0.0.1',
      port: server.port,
      path: `${CONFIG_MAPS}?watch=true`,
      agent,
      headers: { Authorization: `Bearer ${server.token}` },
    }).end()
    const [response] = await once(request, 'response')
    await once(response, 'data')
    expect(server.store.followers).to.equal(before + 1)
    response.on('error', () => {})
    request.destroy()
    while (server.store.followers > before) await new Promise((resolve) => setImmediate(resolve))
    agent.destroy()
  })

  it('list first, mark the end of the list and go on', async () => {
    const query =
      'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1'
    const { text } = await client.ask(`/api/v1/namespaces?${query}`)
    const events = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.slice(0, 4).map(({ type }) => type)).to.deep.equal(['ADDED', 'ADDED', 'ADDED', 'ADDED'])
    const mark = events.find(({ type }) => type === 'BOOKMARK')
    expect(mark.object.metadata.annotations).to.deep.equal({ 'k8s.io/initial-events-end': 'true' })
  })
})

describe('namespaces', () => {
  it('come with a service account and the root certificate, and take their contents with them', async () => {
    const made = await client.ask('/api/v1/namespaces', {
      method: 'POST',
      body: { metadata: { name: 'brief' } },
    })
    expect(made.code).to.equal(201)
    expect((await client.ask('/api/v1/namespaces/brief/serviceaccounts/default')).code).to.equal(200)
    expect((await client.ask('/api/v1/namespaces/brief/configmaps/kube-root-ca.crt')).code).to.equal(200)
    const held = { metadata: { name: 'held', finalizers: ['example.com/f'] } }
    await client.ask('/api/v1/namespaces/brief/configmaps', { method: 'POST', body: held })
    expect((await client.ask('/api/v1/namespaces/brief', { method: 'DELETE' })).code).to.equal(200)
    const late = await client.ask('/api/v1/namespaces/brief/secrets', {
      method: 'POST',
      body: { metadata: { name: 's' } },
    })
    expect(late.code).to.equal(403)
    const waiting = await client.ask('/api/v1/namespaces/brief')
    expect(at(waiting.body, 'status', 'phase')).to.equal('Terminating')
    await client.ask('/api/v1/namespaces/brief/configmaps/held', {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      text: '{"metadata":{"finalizers":null}}',
    })
    let code = 200
    for (let attempt = 0; attempt < 100 && code === 200; attempt++) {
      code = (await client.ask('/api/v1/namespaces/brief')).code
    }
    expect(code).to.equal(404)
  })
})

describe('input made to take for ever', () => {
  const LIMIT = { timeout: 30_000 }
  const patch = (contentType: string, body: unknown) => ({ method: 'PATCH', contentType, body })
  const many = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index))

  it('warns of thousands of fields in as many words as a header holds', async () => {
    const unknown = many(5000, (index) => [`unknown-${index}`, 1])
    const body = { metadata: { name: 'warned' }, ...Object.fromEntries(unknown) }
    const warned = await client.ask(CONFIG_MAPS, { method: 'POST', body })
    expect(warned.code).to.equal(201)
    const warning = String(warned.headers.warning)
    expect(warning).to.include('unknown field \\"unknown-99\\"').and.not.to.include('unknown-100')
    const strict = await client.ask(`${CONFIG_MAPS}?fieldValidation=Strict`, { method: 'POST', body })
    expect(strict.code).to.equal(400)
    expect(String(strict.body.message)).to.include('"unknown-99"').and.not.to.include('unknown-100"')
    const long = Object.fromEntries(many(99, (index) => [`${index}${'x'.repeat(1000)}`, 1]))
    const cut = await client.ask(`${CONFIG_MAPS}/warned`, {
      method: 'PUT',
      body: { metadata: { name: 'warned' }, ...long },
    })
    expect(String(cut.headers.warning)).to.have.length.within(4000, 5000)
  })

  it('refuses what is wrong in more ways than can be said, in a bounded answer', LIMIT, async () => {
    const labels = Object.fromEntries(many(100_000, (index) => [`not a key ${index}`, 'v']))
    const ownerReferences = many(5000, (index) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: `owner-${index}`,
      uid: `uid-${index}`,
      controller: true,
    }))
    for (const metadata of [{ labels }, { ownerReferences }]) {
      const refused = await client.ask(CONFIG_MAPS, {
        method: 'POST',
        body: { metadata: { name: 'wrong', ...metadata } },
      })
      expect(refused.code).to.equal(422)
      expect(refused.text.length).to.be.below(4 * 1024 * 1024)
    }
  })

  it('compares the items of a long list not each with each', LIMIT, async () => {
    const addresses = many(20_000, (index) => ({ type: 'InternalIP', address: `address-${index}` }))
    const created = await client.ask('/api/v1/nodes', {
      method: 'POST',
      body: { metadata: { name: 'long' }, status: { addresses } },
    })
    expect(created.code).to.equal(201)
    const labelled = await client.ask(
      '/api/v1/nodes/long',
      patch('application/merge-patch+json', { metadata: { labels: { a: 'b' } } }),
    )
    expect(labelled.code).to.equal(200)
    for (const status of ['True', 'False']) {
      const conditions = many(8000, (index) => ({ type: `Condition${index}`, status }))
      const merged = await client.ask(
        '/api/v1/nodes/long/status',
        patch('application/strategic-merge-patch+json', { status: { addresses: null, conditions } }),
      )
      expect(merged.code).to.equal(200)
      expect(at(merged.body, 'status', 'conditions')).to.have.length(8000)
    }
  })

  it('does not copy a document into itself without end', LIMIT, async () => {
    await client.ask(CONFIG_MAPS, {
      method: 'POST',
      body: { metadata: { name: 'copied', annotations: { a: 'x'.repeat(100) } } },
    })
    const doubling = many(60, (index) => ({ op: 'copy', from: '/metadata', path: `/metadata/${index}` }))
    const refused = await client.ask(`${CONFIG_MAPS}/copied`, patch('application/json-patch+json', doubling))
    expect(refused.code).to.equal(422)
  })
})
