import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, test } from 'node:test'
import { fetchMetallbManifests } from './metallb-manifests.ts'
import { METALLB_MANIFESTS, PROGRAM_VERSIONS } from './versions.ts'

const TEXT = 'kind: Namespace\n'
const signal = new AbortController().signal

let server: Server
let url: string

beforeEach(async () => {
  server = createServer((asked, answer) => {
    answer.writeHead(asked.url === '/there.yaml' ? 200 : 404).end(TEXT)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/there.yaml`
})
afterEach(() => server.close())

test('manifests are taken when they are the pinned text', async () => {
  const sha256 = createHash('sha256').update(TEXT).digest('hex')
  assert.equal(await fetchMetallbManifests(signal, { url, sha256 }), TEXT)
})

test('another text than the pinned one is refused, with where it came from', async () => {
  const { sha256 } = METALLB_MANIFESTS
  await assert.rejects(fetchMetallbManifests(signal, { url, sha256 }), (error: Error) => {
    assert.match(error.message, /there\.yaml .* not the text that is pinned/)
    assert.ok(error.message.includes(sha256))
    return true
  })
})

test('what can’t be fetched says how to come by it', async () => {
  const { sha256 } = METALLB_MANIFESTS
  await assert.rejects(
    fetchMetallbManifests(signal, { url: url.replace('there', 'gone'), sha256 }),
    /gone\.yaml \(it answers 404\): .* metallb-native\.yaml .* --images/,
  )
})

test('what is pinned is of the version that is built', () => {
  assert.ok(METALLB_MANIFESTS.url.includes(`/${PROGRAM_VERSIONS['go.universe.tf/metallb']}/`))
})
