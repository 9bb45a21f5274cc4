import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, test } from 'node:test'
import { KubeClient } from '../src/kube/client.ts'
import { detectCapabilities } from './detect-capabilities.ts'

const OPERATOR =
  '/apis/apps/v1/namespaces/openshift-windows-machine-config-operator/deployments/windows-machine-config-operator'
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
const READY = { conditions: [{ type: 'Ready', status: 'True' }] }

let server: Server
let client: KubeClient

afterEach(() => {
  client.close()
  server.close()
})

test('a cluster with a kubelet, the right to make Nodes and a stand-in has all that the API can show', async () => {
  await serve({
    nodes: [{ metadata: { name: 'worker' }, status: READY }],
    operator: { metadata: { labels: { 'poolwright.dev/stand-in': 'windows-operator' } } },
  })
  assert.deepEqual(await detect(), ['running-pods', 'node-creation', 'windows-stand-in'])
})

test('a Node that a stand-in plays runs no pods, and neither does one that is not Ready', async () => {
  const played = {
    metadata: { name: 'win', labels: { 'poolwright.dev/stand-in': 'windows-operator' } },
    status: READY,
  }
  await serve({ nodes: [played, { metadata: { name: 'worker' }, status: { conditions: [] } }] })
  assert.deepEqual(await detect(), ['node-creation'])
})

test('an operator that nobody plays is the real one: hands off', async () => {
  await serve({ operator: { metadata: { labels: {} } } })
  assert.deepEqual(await detect(), ['node-creation'])
})

test('who may not make Nodes, or look for the operator, has neither', async () => {
  await serve({ allowed: false, operatorCode: 403 })
  assert.deepEqual(await detect(), [])
})

test('on OpenShift no Node is made, whatever the rights', async () => {
  await serve({ groups: ['apps', 'config.openshift.io'] })
  assert.deepEqual(await detect(), [])
})

interface Cluster {
  readonly nodes?: readonly object[]
  readonly groups?: readonly string[]
  readonly allowed?: boolean
  readonly operator?: object
  /** What is answered where there is no operator to show. */
  readonly operatorCode?: number
}

/** An API server that answers what is asked of it here, and nothing else. */
async function serve(cluster: Cluster): Promise<void> {
  const answers: Record<string, [number, object]> = {
    '/apis': [200, { groups: (cluster.groups ?? ['apps']).map((name) => ({ name })) }],
    '/api/v1/nodes': [200, { kind: 'NodeList', apiVersion: 'v1', metadata: {}, items: cluster.nodes ?? [] }],
    [REVIEWS]: [201, { status: { allowed: cluster.allowed ?? true } }],
    [OPERATOR]: cluster.operator
      ? [200, cluster.operator]
      : [cluster.operatorCode ?? 404, { kind: 'Status' }],
  }
  server = createServer((request, response) => {
    const [code, body] = answers[(request.url ?? '').replace(/\?.*/, '')] ?? [500, {}]
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = new KubeClient({ server: `http://127.0.0.1:${port}`, insecure: false, namespace: 'default' })
}

function detect(): Promise<readonly string[]> {
  return detectCapabilities(client, new AbortController().signal)
}
