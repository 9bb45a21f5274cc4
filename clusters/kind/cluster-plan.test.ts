import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChosenImages } from './chosen-images.ts'
import { type ClusterPlan, planCluster } from './cluster-plan.ts'
import { ToolError } from './run-tool.ts'
import type { Tool } from './tools.ts'

const { signal } = new AbortController()
const IMAGES: ChosenImages = {
  node: 'ours/node:1',
  workload: 'theirs/workload:dev',
  ownPodNetwork: true,
  csi: [],
  sideLoaded: ['theirs/workload:dev'],
  metallb: () => Promise.resolve(''),
  origin: 'as given',
}

/** Plans at an engine that has images of these ids, and a node image with these inside. */
function plan(
  change: Partial<ChosenImages>,
  ids: Record<string, string> = {},
  inside = 'no-network csi workload=ours/workload:1',
): Promise<ClusterPlan> {
  const docker: Tool = async (words, run) => {
    if (words.includes('{{json .Config.Labels}}')) return JSON.stringify({ 'poolwright.dev/inside': inside })
    const id = ids[words.at(-1) ?? '']
    if (id === undefined) throw new ToolError(run.for, 'ended with code 1', 'Error: No such image: it')
    return `${id}\n`
  }
  const images = { ...IMAGES, ...change }
  const settings = {}
  return planCluster({
    settings,
    images,
    sharedFolder: '/shared',
    cgroupV1: false,
    tools: { docker },
    signal,
  })
}

test('the pod network runs from the image that came with the node image, whatever workloads run from', async () => {
  assert.equal((await plan({})).podNetworkImage, 'ours/workload:1')
  assert.equal((await plan({}, {}, 'no-network')).podNetworkImage, 'theirs/workload:dev')
})

test('each image that is put into the cluster is known by its id, where the engine has it', async () => {
  const ids = { 'ours/node:1': 'sha256:1', 'theirs/workload:dev': 'sha256:2' }
  assert.deepEqual((await plan({}, ids)).imageIds, ids)
  assert.deepEqual((await plan({}, { 'ours/node:1': 'sha256:1' })).imageIds, {
    'ours/node:1': 'sha256:1',
    'theirs/workload:dev': '',
  })
})

test('what is loaded beside the node image makes another cluster', async () => {
  const { inputs } = await plan({})
  assert.equal((await plan({})).inputs, inputs)
  assert.notEqual((await plan({ sideLoaded: [] })).inputs, inputs)
})
