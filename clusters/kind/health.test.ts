import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, test } from 'node:test'
import { KubeClient } from '../../src/kube/client.ts'
import { ailments, type Floor, readFloor } from './health.ts'

let server: Server
let client: KubeClient
let seen: Floor

afterEach(() => {
  client.close()
  server.close()
})

const READY = { conditions: [{ type: 'Ready', status: 'True' }] }
const KEPT = { key: 'kept', value: 'yes', effect: 'NoSchedule' }
const NODE = { metadata: { name: 'worker' }, spec: { taints: [KEPT] }, status: READY }
const AVAILABLE = { observedGeneration: 1, availableReplicas: 1, updatedReplicas: 1 }
const metadata = (namespace: string) => ({ name: 'part', namespace, generation: 1 })

test('a cluster whose nodes report and whose parts are available has no ailment', async () => {
  assert.deepEqual(await ailmentsOf({}), [])
})

test('a node that is not Ready, or cordoned, is named', async () => {
  assert.deepEqual(await ailmentsOf({ node: { ...NODE, status: { conditions: [] } } }), [
    'Node worker is not Ready',
  ])
  assert.deepEqual(await ailmentsOf({ node: { ...NODE, spec: { ...NODE.spec, unschedulable: true } } }), [
    'Node worker is cordoned',
  ])
})

test('a Ready node whose kubelet has not renewed its lease is what the API remembers, not what is', async () => {
  const silent = ['the kubelet of worker is silent']
  assert.deepEqual(await ailmentsOf({ renewedAgo: 60_000 }), silent)
  assert.deepEqual(await ailmentsOf({ renewedAgo: undefined }), silent)
})

test('a part of the floor that is not available is named; what scenarios left elsewhere is not', async () => {
  const down = { observedGeneration: 1 }
  const [ailment] = await ailmentsOf({
    deployment: { metadata: metadata('kube-system'), spec: {}, status: down },
  })
  assert.match(ailment ?? '', /^Deployment kube-system\/part is not available/)
  assert.deepEqual(
    await ailmentsOf({ deployment: { metadata: metadata('somebody-elses'), spec: {}, status: down } }),
    ['Deployment kube-system/part is gone'],
  )
})

test('a part whose controller has not seen its last change is not available yet', async () => {
  const changed = { metadata: { ...metadata('kube-system'), generation: 2 }, spec: {}, status: AVAILABLE }
  assert.equal((await ailmentsOf({ deployment: changed })).length, 1)
})

test('a node or a part that was there and is no more is named, though nothing that is left is ill', async () => {
  assert.deepEqual(
    await ailmentsOf({ node: { ...NODE, metadata: { name: 'other' } }, renewedFor: 'other' }),
    ['Node worker is gone'],
  )
  const other = { metadata: { ...metadata('kube-system'), name: 'other' }, spec: {}, status: AVAILABLE }
  assert.deepEqual(await ailmentsOf({ deployment: other }), ['Deployment kube-system/part is gone'])
})

test('a taint that a killed run left, or took away, is named; one that passes by itself is not', async () => {
  const tainted = (...taints: object[]) => ailmentsOf({ node: { ...NODE, spec: { taints } } })
  const left = { key: 'drill', effect: 'NoExecute' }
  assert.deepEqual(await tainted(KEPT, left), ['Node worker has taint drill:NoExecute'])
  assert.deepEqual(await tainted(), ['Node worker lost taint kept=yes:NoSchedule'])
  const fenced = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }
  assert.equal((await tainted(KEPT, fenced)).length, 1)
  assert.deepEqual(await tainted(KEPT, { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }), [])
})

test('what is written down of a whole cluster is what it is held to later', async () => {
  await ailmentsOf({})
  assert.deepEqual(seen, FLOOR)
})

interface Shown {
  readonly node?: object
  /** Milliseconds. */
  readonly renewedAgo?: number | undefined
  /** The node whose lease it is. */
  readonly renewedFor?: string
  readonly deployment?: object
}

/** What the cluster consisted of when it was whole. */
const FLOOR: Floor = {
  nodes: { worker: ['kept=yes:NoSchedule'] },
  workloads: ['Deployment kube-system/part'],
}

async function ailmentsOf(shown: Shown): Promise<string[]> {
  const { node = NODE, deployment = { metadata: metadata('kube-system'), spec: {}, status: AVAILABLE } } =
    shown
  const ago = 'renewedAgo' in shown ? shown.renewedAgo : 1_000
  const renewTime = ago === undefined ? undefined : new Date(Date.now() - ago).toISOString()
  const lists: Record<string, [string, object[]]> = {
    '/api/v1/nodes': ['Node', [node]],
    '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases': [
      'Lease',
      [{ metadata: { name: shown.renewedFor ?? 'worker' }, spec: { renewTime } }],
    ],
    '/apis/apps/v1/deployments': ['Deployment', [deployment]],
    '/apis/apps/v1/daemonsets': ['DaemonSet', []],
  }
  server = createServer((request, response) => {
    const [kind, items] = lists[(request.url ?? '').replace(/\?.*/, '')] ?? ['Unknown', []]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ kind: `${kind}List`, apiVersion: 'v1', metadata: {}, items }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = new KubeClient({ server: `http://127.0.0.1:${port}`, insecure: false, namespace: 'default' })
  const { signal } = new AbortController()
  const found = await ailments(client, FLOOR, signal)
  seen = await readFloor(client, signal)
  client.close()
  server.close()
  return found
}
