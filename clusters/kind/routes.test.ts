import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { KubeClient } from '../../src/kube/client.ts'
import { lostRoutes } from './routes.ts'
import { ToolError } from './run-tool.ts'
import type { Tool } from './tools.ts'

const signal = new AbortController().signal
const node = (name: string, podCIDR: string, address: string) => ({
  metadata: { name },
  spec: { podCIDR },
  status: { addresses: [{ type: 'InternalIP', address }] },
})

let server: Server
let client: KubeClient

before(async () => {
  const items = [node('a', '10.244.0.0/24', '172.18.0.2'), node('b', '10.244.1.0/24', '172.18.0.3')]
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ kind: 'NodeList', apiVersion: 'v1', metadata: {}, items }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = new KubeClient({ server: `http://127.0.0.1:${port}`, insecure: false, namespace: 'default' })
})
after(() => {
  client.close()
  server.close()
})

/** Answers `docker exec NODE ip route get ADDRESS` for each node; an error's text where the node has none. */
function docker(says: Readonly<Record<string, string>>): Tool {
  return async ([, from = ''], run) => {
    const said = says[from] ?? ''
    if (said.startsWith('RTNETLINK')) throw new ToolError(run.for, 'ended with code 2', said)
    return said
  }
}

test('nodes that send each other’s packets to each other have lost nothing', async () => {
  const says = {
    a: '10.244.1.1 via 172.18.0.3 dev eth0 src 172.18.0.2 uid 0',
    b: '10.244.0.1 via 172.18.0.2 dev eth0 src 172.18.0.3 uid 0',
  }
  assert.deepEqual(await lostRoutes(client, { docker: docker(says) }, signal), [])
})

test('a packet that would leave by the default route, or nowhere at all, is a lost route', async () => {
  const says = {
    a: '10.244.1.1 via 172.18.0.1 dev eth0 src 172.18.0.2 uid 0',
    b: 'RTNETLINK answers: No route to host',
  }
  assert.deepEqual(await lostRoutes(client, { docker: docker(says) }, signal), [
    'Node a has no route to the pods of b',
    'Node b has no route to the pods of a',
  ])
})

test('an address that only begins like the node’s is another one', async () => {
  const says = {
    a: '10.244.1.1 via 172.18.0.33 dev eth0 src 172.18.0.2 uid 0',
    b: '10.244.0.1 via 172.18.0.2 dev eth0 src 172.18.0.3 uid 0',
  }
  assert.deepEqual(await lostRoutes(client, { docker: docker(says) }, signal), [
    'Node a has no route to the pods of b',
  ])
})
