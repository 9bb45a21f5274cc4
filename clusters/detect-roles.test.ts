import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, test } from 'node:test'
import type { ClusterRoles } from '../src/contract/cluster-roles.ts'
import { KubeClient } from '../src/kube/client.ts'
import { capabilitiesOf, detectRoles } from './detect-roles.ts'

const READY = { conditions: [{ type: 'Ready', status: 'True' }] }
const TAINT = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }
const MARK = { 'poolwright.dev/test-pool': '' }

let server: Server
let client: KubeClient

afterEach(() => {
  client.close()
  server.close()
})

test('roles are what labels say, and instruments are on a node that is nobody’s to change', async () => {
  const roles = await detect({
    nodes: [
      {
        metadata: { name: 'head' },
        spec: { taints: [TAINT] },
        status: withImage('poolwright.dev/workload:1'),
      },
      { metadata: { name: 'b', labels: { ...MARK, 'poolwright.dev/node-role': 'data' } }, status: READY },
      {
        metadata: { name: 'a', labels: { ...MARK, 'poolwright.dev/node-role': 'management' } },
        status: READY,
      },
      { metadata: { name: 'win', labels: { ...MARK, 'poolwright.dev/stand-in': 'x' } }, status: READY },
    ],
    storageclasses: [
      { metadata: { name: 'fast' } },
      { metadata: { name: 'disk', labels: { 'poolwright.dev/storage-role': 'local' } } },
      { metadata: { name: 'odd', labels: { 'poolwright.dev/storage-role': 'golden' } } },
    ],
    ipaddresspools: [{ metadata: { name: 'p', labels: { 'poolwright.dev/address-pool': 'small' } } }],
  })
  assert.deepEqual(roles, {
    nodes: { data: ['b'], management: ['a'] },
    instruments: {
      node: 'head',
      tolerations: [{ key: TAINT.key, operator: 'Exists', effect: TAINT.effect }],
    },
    storage: { local: 'disk' },
    addressPools: { small: 'p' },
    workloadImage: 'poolwright.dev/workload:1',
  })
  assert.deepEqual(capabilitiesOf(roles), ['workload-image', 'test-nodes', 'local-storage'])
})

test('marked nodes without a role share the roles out, and one without taints carries the instruments', async () => {
  const roles = await detect(
    {
      nodes: [
        { metadata: { name: 'c', labels: MARK }, status: READY },
        { metadata: { name: 'b', labels: MARK }, status: READY },
        { metadata: { name: 'head' }, spec: { taints: [TAINT] }, status: READY },
        { metadata: { name: 'free' }, status: READY },
        { metadata: { name: 'off' }, status: {} },
      ],
    },
    'registry.example.com/node:22',
  )
  assert.deepEqual(roles.nodes, { data: ['b'], management: ['c'] })
  assert.deepEqual(roles.instruments, { node: 'free', tolerations: [] })
  assert.equal(roles.workloadImage, 'registry.example.com/node:22')
})

test('a cluster that has none of it, or shows none of it, has no capability of it', async () => {
  const roles = await detect({})
  assert.deepEqual(roles, { nodes: { data: [], management: [] }, storage: {}, addressPools: {} })
  assert.deepEqual(capabilitiesOf(roles), [])
})

function withImage(name: string): object {
  return { ...READY, images: [{ names: [`${name}@sha256:0`, name] }] }
}

/** An API server that has these objects; of the rest one half is not there and the other not to be looked at. */
async function detect(
  objects: Readonly<Record<string, readonly object[]>>,
  image?: string,
): Promise<ClusterRoles> {
  server = createServer((request, response) => {
    const name = (request.url ?? '').replace(/\?.*/, '').split('/').at(-1) ?? ''
    const items = objects[name]
    const body = items ? { kind: 'List', metadata: {}, items } : { kind: 'Status' }
    const code = items ? 200 : name === 'nodes' ? 403 : 404
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = new KubeClient({ server: `http://127.0.0.1:${port}`, insecure: false, namespace: 'default' })
  return detectRoles(client, new AbortController().signal, image)
}
