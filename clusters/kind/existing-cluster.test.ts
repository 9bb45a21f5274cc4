import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { ClusterPlan } from './cluster-plan.ts'
import { existingCluster } from './existing-cluster.ts'
import { ToolError } from './run-tool.ts'
import { type Site, siteOf } from './site.ts'
import type { Tool } from './tools.ts'

const { signal } = new AbortController()
const NODE = {
  metadata: { name: 'pool-worker' },
  spec: { podCIDR: '10.244.0.0/24' },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
}
const CONTAINER = {
  Id: 'ab'.repeat(32),
  Name: '/pool-worker',
  Image: 'sha256:1',
  State: { Running: true },
  NetworkSettings: { Networks: {} },
}

let folder: string
let site: Site
let server: Server
/** Answers of the API that never come, before the next one does. */
let silent: number
let record: object
let containers: (typeof CONTAINER)[]
let vantage: boolean
let workload: string | undefined
let said: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'existing-cluster-'))
  site = siteOf('pool', { XDG_STATE_HOME: folder })
  silent = 0
  record = recordOf({ 'ours/node:1': 'sha256:1' })
  containers = [CONTAINER]
  vantage = true
  workload = 'ours/workload:1'
  said = []
  server = createServer((request, response) => {
    if (silent-- > 0) return void request.socket.destroy()
    const path = (request.url ?? '').replace(/\?.*/, '')
    const body = path.endsWith('/poolwright-cluster') ? record : bodyOf(path)
    response.writeHead('code' in body ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await mkdir(site.directory, { recursive: true })
  await writeFile(
    site.kubeconfig,
    JSON.stringify({
      'current-context': 'pool',
      contexts: [{ name: 'pool', context: { cluster: 'pool', user: 'me' } }],
      clusters: [{ name: 'pool', cluster: { server: address } }],
      users: [{ name: 'me', user: {} }],
    }),
  )
})
afterEach(async () => {
  server.close()
  server.closeAllConnections()
  await rm(folder, { recursive: true })
})

function recordOf(imageIds: object): object {
  const floor = { nodes: { 'pool-worker': [] }, workloads: [] }
  return { data: { inputs: 'same', imageIds: JSON.stringify(imageIds), floor: JSON.stringify(floor) } }
}

function bodyOf(path: string): object {
  if (path === '/version') return { gitVersion: 'v1.36.9' }
  if (path.endsWith('/nodes')) return { metadata: {}, items: [NODE] }
  if (path.endsWith('/leases')) {
    const spec = { renewTime: new Date().toISOString() }
    return { metadata: {}, items: [{ metadata: { name: 'pool-worker' }, spec }] }
  }
  if (/selfsubjectaccessreviews$/.test(path)) return { status: { allowed: true } }
  if (/(deployments|daemonsets|storageclasses|ipaddresspools)$/.test(path)) return { metadata: {}, items: [] }
  if (path === '/apis') return { groups: [] }
  return { kind: 'Status', code: 404, reason: 'NotFound' }
}

const docker: Tool = async (words) => {
  const [command] = words
  if (command === 'ps' && words.includes('--all')) return containers.map(({ Id }) => Id).join('\n')
  if (command === 'ps') return vantage ? 'id' : ''
  if (command === 'container') return JSON.stringify(containers)
  if (command === 'run') throw new ToolError('starting the outside vantage', 'ended with code 125', '')
  return ''
}

function find(change: Partial<ClusterPlan> = {}, restore?: () => Promise<void>) {
  const images = { node: 'ours/node:1', ...(workload !== undefined && { workload }) }
  const plan = { inputs: 'same', imageIds: { 'ours/node:1': 'sha256:1' }, images, ...change }
  return existingCluster({
    site,
    plans: [plan as ClusterPlan],
    tools: { docker },
    signal,
    progress: (line) => said.push(line),
    healingLimitMs: 0,
    ...(restore && { restore }),
  })
}

test('one that was made from the same and is well is taken as it is', async () => {
  assert.equal((await find())?.version, 'v1.36.9')
  assert.deepEqual(said, [])
})

test('an answer that does not come once is asked for again before all is given up', async () => {
  // Once for a kept connection, and again.
  silent = 2
  const found = await existingCluster({
    site,
    plans: [{ inputs: 'same', imageIds: {}, images: { node: 'ours/node:1' } } as ClusterPlan],
    tools: { docker },
    signal,
    progress: (line) => said.push(line),
  })
  assert.equal(found?.version, 'v1.36.9')
  assert.match(said.join(), /waiting for the cluster to be well again: it does not answer/)
})

test('a cluster whose nodes are gone is not waited for', async () => {
  containers = []
  silent = Number.POSITIVE_INFINITY
  assert.equal(await find(), undefined)
  assert.deepEqual(said, ['the cluster that is there has lost its nodes and is made anew'])
})

test('a node that is off is named', async () => {
  containers = [{ ...CONTAINER, State: { Running: false } }]
  assert.equal(await find(), undefined)
  assert.match(said.at(-1) ?? '', /Node pool-worker is off/)
})

test('the same name for another build of an image is another cluster; an image that the engine lost is not', async () => {
  assert.equal(await find({ imageIds: { 'ours/node:1': 'sha256:2' } }), undefined)
  assert.match(said.join(), /was made from another build of ours\/node:1 and is made anew/)
  assert.equal((await find({ imageIds: { 'ours/node:1': '' } }))?.version, 'v1.36.9')
})

test('what a run that ended left is put back before the cluster is judged, once', async () => {
  const floor = { nodes: { 'pool-worker': ['drill:NoSchedule'] }, workloads: [] }
  const broken = { data: { inputs: 'same', floor: JSON.stringify(floor) } }
  const whole = record
  let asked = 0
  record = broken
  const putBack = async (): Promise<void> => {
    asked++
    record = whole
  }
  assert.equal((await find({}, putBack))?.version, 'v1.36.9')
  assert.deepEqual([asked, said], [1, []])

  record = broken
  const inVain = async (): Promise<void> => {
    asked++
    throw new Error('nobody may')
  }
  assert.equal(await find({}, inVain), undefined)
  assert.equal(asked, 2)
  assert.match(said.join(), /nobody may.*lost taint drill:NoSchedule/)
})

test('what the cluster had and has no more is a reason', async () => {
  const floor = { nodes: {}, workloads: ['Deployment metallb-system/controller'] }
  record = { data: { inputs: 'same', floor: JSON.stringify(floor) } }
  assert.equal(await find(), undefined)
  assert.match(said.at(-1) ?? '', /Deployment metallb-system\/controller is gone/)
})

test('a vantage that can not be started is an error of its own, and no reason to make a cluster anew', async () => {
  vantage = false
  await assert.rejects(find(), /starting the outside vantage/)
  assert.doesNotMatch(said.join(), /anew/)
  workload = undefined
  assert.equal((await find())?.version, 'v1.36.9')
})
