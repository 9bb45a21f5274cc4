import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { type ConfigChoices, clusterConfig } from './config.ts'

const CHOICES: ConfigChoices = {
  dataWorkers: 1,
  managementWorkers: 1,
  sharedFolder: '/somewhere: here',
  ownPodNetwork: false,
  cgroupV1: false,
}

interface Node {
  readonly role: string
  readonly labels?: Readonly<Record<string, string>>
  readonly extraMounts: readonly { readonly hostPath: string }[]
}

async function config(choices: Partial<ConfigChoices>): Promise<{
  nodes: Node[]
  networking: { disableDefaultCNI?: boolean }
  kubeadmConfigPatches: string[]
}> {
  return parse(await clusterConfig({ ...CHOICES, ...choices }))
}

const roles = (nodes: readonly Node[]): (string | undefined)[] =>
  nodes.map(({ labels }) => labels?.['poolwright.dev/node-role'])

test('one control plane, a data worker and a management worker, and a second of each where asked for', async () => {
  assert.deepEqual(roles((await config({})).nodes), [undefined, 'data', 'management'])
  const { nodes } = await config({ dataWorkers: 2, managementWorkers: 2 })
  assert.deepEqual(roles(nodes), [undefined, 'data', 'management', 'data', 'management'])
})

test('every worker is marked for tests, and the control plane is not', async () => {
  for (const { role, labels = {} } of (await config({ dataWorkers: 2 })).nodes)
    assert.equal('poolwright.dev/test-pool' in labels, role === 'worker')
})

test('every node mounts the shared folder, whatever its path', async () => {
  const { nodes } = await config({ managementWorkers: 2 })
  assert.deepEqual(
    nodes.map(({ extraMounts }) => extraMounts[0]?.hostPath),
    nodes.map(() => '/somewhere: here'),
  )
})

test('kind installs its pod network unless it is ours', async () => {
  assert.equal((await config({})).networking.disableDefaultCNI, undefined)
  assert.equal((await config({ ownPodNetwork: true })).networking.disableDefaultCNI, true)
})

test('a kubelet is allowed cgroup v1 only where the machine has nothing else', async () => {
  const allows = ({ kubeadmConfigPatches }: { kubeadmConfigPatches: string[] }): boolean =>
    kubeadmConfigPatches.some((patch) => parse(patch).failCgroupV1 === false)
  assert.equal(allows(await config({})), false)
  assert.equal(allows(await config({ cgroupV1: true })), true)
})
