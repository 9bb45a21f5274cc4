import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { execa } from 'execa'

const PROGRAM = fileURLToPath(new URL('../poolwright.ts', import.meta.url))

/** Says of everything that it isn't there: the pool is not enabled. */
const server = createServer((_request, response) => {
  response.statusCode = 404
  response.end(JSON.stringify({ kind: 'Status', code: 404, reason: 'NotFound', message: 'not found' }))
})
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

let folder: string
let kubeconfig: string
before(async () => {
  server.listen(0, '127.0.0.1')
  folder = await mkdtemp(join(tmpdir(), 'poolwright-pool-'))
  kubeconfig = join(folder, 'config')
  const config = {
    'current-context': 'x',
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    users: [{ name: 'x', user: {} }],
    clusters: [{ name: 'x', cluster: { server: address(), 'insecure-skip-tls-verify': true } }],
  }
  await writeFile(kubeconfig, JSON.stringify(config))
})
after(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

function stats(...files: string[]) {
  const env = { KUBECONFIG: files.join(delimiter), NODE_TEST_CONTEXT: undefined }
  return execa(process.execPath, [PROGRAM, 'pool', 'stats'], { env, reject: false, timeout: 30_000 })
}

describe('poolwright pool', () => {
  it('works on the first of KUBECONFIG’s files that is there', async () => {
    const { exitCode, stdout, stderr } = await stats(join(folder, 'none'), kubeconfig)
    expect(stdout, stderr).to.match(/enabled +no/)
    expect(exitCode).to.equal(0)
  })

  it('names all of them where none is there', async () => {
    const { exitCode, stderr } = await stats(join(folder, 'none'), join(folder, 'neither'))
    expect(stderr).to.match(/^poolwright: There is no kubeconfig .*none, nor .*neither: name one/)
    expect(exitCode).to.equal(2)
  })
})
