import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { inClusterConnection } from './in-cluster.ts'

const ENVIRONMENT = { KUBERNETES_SERVICE_HOST: '192.0.2.1', KUBERNETES_SERVICE_PORT: '443' }
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-account-'))
  await writeFile(join(folder, 'ca.crt'), 'PEM')
  await writeFile(join(folder, 'namespace'), 'games\n')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a pod finds its API, its authority, its namespace and a token that is read anew each time', async () => {
  assert.deepEqual(await inClusterConnection(ENVIRONMENT, folder), {
    server: 'https://192.0.2.1:443',
    certificateAuthority: 'PEM',
    tokenFile: join(folder, 'token'),
    insecure: false,
    namespace: 'games',
  })
})

test('an IPv6 address is bracketed', async () => {
  const { server } = await inClusterConnection(
    { ...ENVIRONMENT, KUBERNETES_SERVICE_HOST: '2001:db8::1' },
    folder,
  )
  assert.equal(server, 'https://[2001:db8::1]:443')
})

test('outside a pod the error says what is missing', async () => {
  await assert.rejects(inClusterConnection({}, folder), /not in a cluster: KUBERNETES_SERVICE_HOST/)
  await rm(join(folder, 'namespace'))
  await assert.rejects(inClusterConnection(ENVIRONMENT, folder), /namespace can't be read \(ENOENT\)/)
})
