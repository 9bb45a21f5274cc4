import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, it } from 'node:test'
import { expect } from 'chai'
import type { Failure } from '../compare/judge.ts'
import { parseExact } from '../exact-json.ts'
import type { Vector } from '../vector.ts'
import { replay } from './replay.ts'
import { Target } from './target.ts'

let stop: (() => void) | undefined
afterEach(() => stop?.())

it('an int64 beyond 2^53 that is one off is told apart', async () => {
  const step = (n: string) => `{"method":"GET","path":"/apis/x","expect":{"status":200,"body":{"n":${n}}}}`
  const answer = '{"n":9007199254740993}'
  expect(await failures([step('9007199254740993')], () => answer)).to.deep.equal([])
  expect(await failures([step('9007199254740992')], () => answer)).to.deep.equal([
    { name: 'v', step: 0, path: '$.body.n', expected: '9007199254740992', found: '9007199254740993' },
  ])
})

it('ranks resourceVersions over the whole vector, numbers UIDs as they appear, keeps what the steps spell out', async () => {
  const object = (uid: string, version: string) =>
    `{"kind":"T","metadata":{"uid":"${uid}","resourceVersion":"${version}"}}`
  const step = (uid: string, version: string) =>
    `{"method":"POST","path":"/apis/x","body":${object(KEPT, '1')},"expect":{"status":200,"body":${object(uid, version)}}}`
  const answers = [object(ONE, '100'), object(OTHER, '99'), object(ONE, '1000'), object(KEPT, '100')]
  const steps = [
    step('<uid:1>', '<rv:2>'),
    step('<uid:2>', '<rv:1>'),
    step('<uid:1>', '<rv:3>'),
    step(KEPT, '<rv:2>'),
  ]
  expect(await failures(steps, () => answers.shift() ?? '')).to.deep.equal([])
})

it('uses what earlier steps captured, repeats until it holds, and compares nothing but the status when told so', async () => {
  let asked = 0
  const steps = [
    '{"method":"GET","path":"/apis/x","capture":{"name":"$.items[?kind=T].name"},"record":false,"expect":{"status":200}}',
    `{"method":"GET","path":"/apis/\${name}?\${repeat:ab:3}","until":[{"path":"$.asked","atLeast":3}],"pick":["$.asked","$.none"],"expect":{"status":200,"body":{"$.asked":3,"$.none":null}}}`,
  ]
  const paths: string[] = []
  const found = await failures(steps, (request) => {
    paths.push(request.url ?? '')
    return request.url === '/apis/x' ? '{"items":[{"kind":"T","name":"t"}]}' : `{"asked":${++asked}}`
  })
  expect(found).to.deep.equal([])
  expect(paths.at(-1)).to.equal('/apis/t?ababab')
})

it('sends the administrator, nobody, or a bearer of a token', async () => {
  const seen: unknown[] = []
  const step = (auth: string) =>
    `{"method":"GET","path":"/apis/x"${auth},"record":false,"expect":{"status":200}}`
  await failures([step(''), step(',"auth":"none"'), step(',"auth":"t"')], ({ headers }) => {
    seen.push(headers.authorization)
    return '{}'
  })
  expect(seen).to.deep.equal(['Bearer admin', undefined, 'Bearer t'])
})

it('collects a watch: plain bookmarks are left out unless they are kept, and then several in a row count as one', async () => {
  const bookmark = (version: string) =>
    `{"type":"BOOKMARK","object":{"kind":"T","metadata":{"resourceVersion":"${version}"}}}`
  const added = '{"type":"ADDED","object":{"kind":"T","metadata":{"resourceVersion":"7"}}}'
  const stream = [added, bookmark('8'), bookmark('9')].join('\n')
  const expected = (events: string) =>
    `{"method":"GET","path":"/apis/x?watch=1&timeoutSeconds=1","watch":true,"expect":{"status":200,"events":[${events}]}`
  const one = added.replace('"7"', '"<rv:1>"')
  expect(await failures([`${expected(one)}}`], () => stream)).to.deep.equal([])
  const kept = `${expected(`${one},${bookmark('<listrv>')}`)},"keepBookmarks":true}`
  expect(await failures([kept], () => stream)).to.deep.equal([])
})

it('makes the requests of a step while its watch is open', async () => {
  const event = '{"type":"ADDED","object":{"n":1}}'
  const step = `{"method":"GET","path":"/apis/x?watch=1&timeoutSeconds=1","watch":true,"during":[{"method":"POST","path":"/apis/x","body":{}}],"expect":{"status":200,"events":[${event}]}}`
  let open: ServerResponse | undefined
  const found = await failures([step], (request, response) => {
    if (request.method === 'POST') {
      open?.end(event)
      return '{}'
    }
    response.flushHeaders()
    open = response
    return undefined
  })
  expect(found).to.deep.equal([])
})

it('counts the statuses of parallel requests and compares one body for each that failed', async () => {
  const request = '{"method":"PUT","path":"/apis/x","body":{}}'
  const step = (won: number) =>
    `{"parallel":[${request},${request},${request}],"expect":{"statusCounts":{"200":${won},"409":2},"errorBodies":{"409":{"code":409}}}}`
  const race = () => {
    let first = true
    return (_: IncomingMessage, response: ServerResponse) => {
      if (!first) response.statusCode = 409
      first = false
      return response.statusCode === 409 ? '{"code":409}' : '{}'
    }
  }
  expect(await failures([step(1)], race())).to.deep.equal([])
  expect((await failures([step(3)], race())).map(({ path }) => path)).to.deep.equal(['$.statusCounts.200'])
})

it('compares warnings and content types where they are recorded and where they are not', async () => {
  const step = '{"method":"GET","path":"/apis/x","expect":{"status":200,"body":{}}}'
  const found = await failures([step], (_, response) => {
    response.setHeader('Warning', ['299 - "a"', '299 - "b"'])
    return '{}'
  })
  expect(found).to.deep.equal([
    {
      name: 'v',
      step: 0,
      path: '$.headers',
      expected: '(absent)',
      found: '{"Warning":["299 - \\"a\\"","299 - \\"b\\""]}',
    },
  ])
})

it('starts a server for each settings that vectors were recorded with', async () => {
  const started: unknown[] = []
  const vector = (name: string, server: string) =>
    parseExact(`{"name":"${name}","kubernetes":"","namespace":null,"steps":[]${server}}`) as unknown as Vector
  const vectors = [vector('a', ''), vector('b', ',"server":{"anonymousAuth":false}'), vector('c', '')]
  await replay([{ family: 'api', category: 'c', vectors }], {
    source: {
      name: 'none',
      async start(settings) {
        started.push({ ...settings })
        const target = new Target({ server: 'http://127.0.0.1:9', insecure: false, namespace: 'default' })
        return { target, borrowed: false, stop: async () => target.close() }
      },
    },
    signal: AbortSignal.timeout(10_000),
    later: false,
    progress: () => undefined,
  })
  expect(started).to.have.deep.members([{}, { anonymousAuth: false }])
})

const ONE = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
const OTHER = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb'
const KEPT = '00000000-0000-0000-0000-000000000001'

type Respond = (request: IncomingMessage, response: ServerResponse) => string | undefined

/** Replays one vector of these steps against a server that answers as told. */
async function failures(steps: readonly string[], respond: Respond): Promise<readonly Failure[]> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('Content-Type', 'application/json')
      const body = respond(request, response)
      if (body !== undefined) response.end(body)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  stop = () => server.closeAllConnections()
  const { port } = server.address() as AddressInfo
  const target = new Target({
    server: `http://127.0.0.1:${port}`,
    token: 'admin',
    insecure: false,
    namespace: 'default',
  })
  const vector = parseExact(
    `{"name":"v","kubernetes":"","namespace":null,"steps":[${steps.join(',')}]}`,
  ) as unknown as Vector
  const outcomes = await replay([{ family: 'api', category: 'c', vectors: [vector] }], {
    source: {
      name: 'scripted',
      start: async () => ({ target, borrowed: false, stop: async () => target.close() }),
    },
    signal: AbortSignal.timeout(30_000),
    later: true,
    progress: () => undefined,
  })
  server.close()
  return outcomes[0]?.failures ?? []
}
