import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { UsageError } from '../contract/errors.ts'
import { ApiFailure, type FailureKind } from './api-failure.ts'
import { connectApi } from './connect.ts'
import type { KubernetesApi } from './kubernetes-api.ts'
import { configMaps, NODES } from './resource-path.ts'

const POOL = configMaps('windows')

describe('the API behind a kubeconfig', () => {
  let server: Server
  let directory: string
  let api: KubernetesApi
  let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void
  const options = () => ({ signal: new AbortController().signal })

  before(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    directory = mkdtempSync(join(tmpdir(), 'poolwright-api-'))
    const { port } = server.address() as AddressInfo
    api = connectApi(kubeconfig(directory, `http://127.0.0.1:${port}/base/`))
  })

  after(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    rmSync(directory, { recursive: true })
  })

  it('takes each name and the context from the first of several files that has it', async () => {
    const second = join(directory, 'second')
    const nowhere = { server: 'http://127.0.0.1:1' }
    const config = {
      clusters: [{ name: 'c', cluster: nowhere }],
      users: [{ name: 'u', user: { token: 'other' } }],
      contexts: [{ name: 'y', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'y',
    }
    writeFileSync(second, JSON.stringify(config))
    let authorization: string | undefined
    answer = (request, response) => {
      authorization = request.headers.authorization
      response.end('{}')
    }
    await connectApi([join(directory, 'kubeconfig'), second]).get(POOL, 'pool', options())
    expect(authorization).to.equal('Bearer t')
  })

  async function failureOf(work: Promise<unknown>): Promise<ApiFailure> {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error instanceof ApiFailure) return error
    throw new Error('expected an ApiFailure', { cause: error })
  }

  const table: readonly [code: number, reason: string, kind: FailureKind][] = [
    [401, 'Unauthorized', 'forbidden'],
    [403, 'Forbidden', 'forbidden'],
    [404, 'NotFound', 'missing'],
    [408, 'Timeout', 'transient'],
    [409, 'Conflict', 'conflict'],
    [409, 'AlreadyExists', 'exists'],
    [410, 'Expired', 'rejected'],
    [413, 'RequestEntityTooLarge', 'rejected'],
    [422, 'Invalid', 'rejected'],
    [429, 'TooManyRequests', 'transient'],
    [500, 'InternalError', 'transient'],
    [501, 'NotImplemented', 'rejected'],
    [503, 'ServiceUnavailable', 'transient'],
    [504, 'Timeout', 'transient'],
  ]
  for (const [code, reason, kind] of table)
    it(`takes ${code} ${reason} for ${kind}, in the API’s own words`, async () => {
      answer = (_, response) =>
        response.writeHead(code).end(JSON.stringify({ kind: 'Status', reason, message: 'own words' }))
      const failure = await failureOf(api.get(POOL, 'pool', options()))
      expect(failure.kind).to.equal(kind)
      expect(failure.message).to.equal(
        `GET /api/v1/namespaces/windows/configmaps/pool: ${code} ${reason}: own words`,
      )
    })

  it('reads Retry-After in seconds and as a date, or the Status’s own hint', async () => {
    answer = (_, response) => response.writeHead(429, { 'retry-after': '7' }).end('busy')
    expect((await failureOf(api.get(POOL, 'pool', options()))).retryAfterMs).to.equal(7000)
    const later = new Date(Date.now() + 3_600_000).toUTCString()
    answer = (_, response) => response.writeHead(503, { 'retry-after': later }).end()
    expect((await failureOf(api.get(POOL, 'pool', options()))).retryAfterMs).to.be.greaterThan(3_000_000)
    const status = { kind: 'Status', details: { retryAfterSeconds: 3 } }
    answer = (_, response) => response.writeHead(504).end(JSON.stringify(status))
    expect((await failureOf(api.get(POOL, 'pool', options()))).retryAfterMs).to.equal(3000)
  })

  const broken: readonly [what: string, act: (response: ServerResponse) => void][] = [
    ['a connection that is reset', (response) => response.destroy()],
    [
      'an answer cut short',
      (response) =>
        void response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy()),
    ],
    ['an answer that is no JSON', (response) => response.end('{"kind":')],
  ]
  for (const [what, act] of broken)
    it(`takes ${what} for transient: whether it took effect is unknown`, async () => {
      answer = (_, response) => act(response)
      expect((await failureOf(api.get(POOL, 'pool', options()))).kind).to.equal('transient')
    })

  it('takes an answer that never comes for transient, after its own limit', async () => {
    answer = () => undefined
    const failure = await failureOf(api.get(POOL, 'pool', { ...options(), timeoutMs: 30 }))
    expect(failure.kind).to.equal('transient')
  })

  it('ends with the caller’s own reason when the caller gives up', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    answer = () => controller.abort(reason)
    const error = await api.get(POOL, 'pool', { signal: controller.signal }).catch((it: unknown) => it)
    expect(error).to.equal(reason)
  })

  it('keeps every key of a ConfigMap, whatever it is called', async () => {
    answer = (_, response) => response.end('{"data":{"__proto__":"a","constructor":"b"}}')
    const { data } = await api.get<{ data?: object }>(POOL, 'pool', options())
    expect(Object.keys(data ?? {})).to.deep.equal(['__proto__', 'constructor'])
  })

  it('speaks each verb as the API wants it', async () => {
    const heard: string[] = []
    answer = ({ method, url, headers }, response, body) => {
      heard.push(`${method} ${url} ${headers['content-type'] ?? '-'} ${body}`)
      response.end('{"items":null}')
    }
    expect(await api.list(NODES, { ...options(), labelSelector: 'a=b,c' })).to.deep.equal([])
    await api.create(POOL, { kind: 'ConfigMap' }, options())
    await api.mergePatch(POOL, 'pool', { data: { a: null } }, options())
    await api.jsonPatch(POOL, 'pool', [{ op: 'remove', path: '/data/a' }], options())
    await api.delete({ group: 'g.io', version: 'v1', plural: 'things' }, 'a/b', { ...options(), uid: 'u' })
    expect(heard).to.deep.equal([
      'GET /base/api/v1/nodes?labelSelector=a%3Db%2Cc - ',
      'POST /base/api/v1/namespaces/windows/configmaps application/json {"kind":"ConfigMap"}',
      'PATCH /base/api/v1/namespaces/windows/configmaps/pool application/merge-patch+json {"data":{"a":null}}',
      'PATCH /base/api/v1/namespaces/windows/configmaps/pool application/json-patch+json [{"op":"remove","path":"/data/a"}]',
      'DELETE /base/apis/g.io/v1/things/a%2Fb application/json {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"u"}}',
    ])
  })

  it('says which kubeconfig cannot be used', () => {
    expect(() => connectApi(join(directory, 'absent'))).to.throw(UsageError, 'absent')
    const empty = join(directory, 'empty')
    writeFileSync(empty, 'apiVersion: v1\nkind: Config\n')
    expect(() => connectApi(empty)).to.throw(UsageError, 'empty')
  })
})

function kubeconfig(directory: string, server: string): string {
  const path = join(directory, 'kubeconfig')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'u', user: { token: 't' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  }
  writeFileSync(path, JSON.stringify(config))
  return path
}
