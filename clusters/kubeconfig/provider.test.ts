import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { ClusterDescription, UpRequest } from '../provider.ts'
import { kubeconfig } from './provider.ts'

const MARKED = { metadata: { name: 'node-7', labels: { 'poolwright.dev/test-pool': '' } } }

const ANSWERS: Readonly<Record<string, object>> = {
  '/version': { gitVersion: 'v1.36.9' },
  '/apis': { groups: [] },
  '/api/v1/nodes': { metadata: {}, items: [MARKED] },
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews': { status: { allowed: true } },
}

let folder: string
let server: Server
const asked: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-rung-'))
  process.env.XDG_STATE_HOME = join(folder, 'state')
  asked.length = 0
  server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    asked.push(`${request.method} ${path}`)
    const body = ANSWERS[path]
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? { kind: 'Status', code: 404, reason: 'NotFound' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const named = (name: string, value: object) => ({ name, ...value })
  await writeFile(
    join(folder, 'config'),
    JSON.stringify({
      'current-context': 'production',
      contexts: [
        named('production', { context: { cluster: 'production', user: 'me' } }),
        named('lab', { context: { cluster: 'lab', user: 'me' } }),
      ],
      clusters: [
        named('production', { cluster: { server: 'http://127.0.0.1:1' } }),
        named('lab', { cluster: { server: address } }),
      ],
      users: [named('me', { user: { token: 'a-token-of-mine' } })],
    }),
  )
})
afterEach(async () => {
  delete process.env.XDG_STATE_HOME
  server.close()
  await rm(folder, { recursive: true, force: true })
})

function up(
  settings: UpRequest['settings'],
  confirm?: UpRequest['confirm'],
  runId?: string,
): Promise<ClusterDescription> {
  return kubeconfig.up({
    name: 'default',
    signal: new AbortController().signal,
    progress: () => undefined,
    lifetime: 'detached',
    settings: { kubeconfig: join(folder, 'config'), ...settings },
    ...(confirm && { confirm }),
    ...(runId !== undefined && { runId }),
  })
}

test('no context is taken for granted, the current one least of all', async () => {
  await assert.rejects(up({ yes: true }), /Name the context of .*config to run on with --context/)
  await assert.rejects(up({ context: 'gone', yes: true }), /no context named "gone"/)
  assert.deepEqual(asked, [])
})

test('whoever is asked learns the server, the context and the marked nodes, and can refuse', async () => {
  const questions: string[] = []
  const refuse = async (question: string): Promise<boolean> => {
    questions.push(question)
    return false
  }
  await assert.rejects(up({ context: 'lab' }, refuse), /nothing was done/)
  assert.match(
    questions.join(),
    /on http:\/\/127.0.0.1:\d+ \(context lab\).*poolwright.dev\/test-pool: node-7/,
  )
  assert.deepEqual(
    asked.filter((request) => !request.startsWith('GET ')),
    [],
  )
})

test('where nobody can be asked, --yes has to be said', async () => {
  await assert.rejects(up({ context: 'lab' }), /Nobody is there to confirm it: say --yes/)
})

test('what a run gets leads to that one context, and is for its owner’s eyes', async () => {
  const cluster = await up({ context: 'lab' }, async () => true)
  assert.equal(cluster.version, 'v1.36.9')
  assert.equal((await stat(cluster.kubeconfig)).mode & 0o777, 0o600)
  const text = await readFile(cluster.kubeconfig, 'utf8')
  assert.match(text, /a-token-of-mine/)
  assert.doesNotMatch(text, /production/)
  assert.equal((await kubeconfig.status('default'))?.kubeconfig, cluster.kubeconfig)
  await kubeconfig.down('default')
  assert.equal(await kubeconfig.status('default'), undefined)
})

test('a cluster that is named is found, whatever was used last, and none is taken for granted', async () => {
  const used = await up({ context: 'lab', yes: true })
  const settings = { kubeconfig: join(folder, 'config') }
  await assert.rejects(kubeconfig.status('default', settings), /Name the context of .*config to run on/)
  const found = await kubeconfig.status('default', { ...settings, context: 'lab' })
  assert.notEqual(found?.kubeconfig, used.kubeconfig)
  assert.equal((await stat(found?.kubeconfig ?? '')).mode & 0o777, 0o600)
  // As a run on another cluster does meanwhile.
  await writeFile(used.kubeconfig, 'another')
  assert.match(await readFile(found?.kubeconfig ?? '', 'utf8'), /a-token-of-mine/)
  await assert.rejects(kubeconfig.status('default', { ...settings, context: 'production' }), /ECONNREFUSED/)
})

test('each run has a file of its own, which another run leaves alone and which goes with it', async () => {
  const one = await up({ context: 'lab', yes: true }, undefined, 'one')
  const before = await readFile(one.kubeconfig, 'utf8')
  const two = await up({ context: 'lab', yes: true }, undefined, 'two')
  assert.notEqual(one.kubeconfig, two.kubeconfig)
  await kubeconfig.release?.('default', 'two')
  assert.equal(await readFile(one.kubeconfig, 'utf8'), before)
  await assert.rejects(readFile(two.kubeconfig), /ENOENT/)
})
