import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClusterPlan } from '../cluster-plan.ts'
import { type Installation, installParts } from './install.ts'

/** A bare node image: it has a pod network, and there is neither a driver nor a workload image to install. */
const BARE = { images: { ownPodNetwork: false, metallb: async () => '' }, csi: [] } as unknown as ClusterPlan

/** Everything that kubectl is told to do, as lines of words. */
async function told(): Promise<string[]> {
  const lines: string[] = []
  await installParts({
    cluster: 'poolwright-test',
    plan: BARE,
    pools: {},
    kubeconfig: '/kubeconfig',
    tools: {
      async kubectl(words: readonly string[]) {
        lines.push(words.slice(2).join(' '))
        return ''
      },
    },
    signal: new AbortController().signal,
    progress: () => {},
  } as unknown as Installation)
  return lines
}

test('the storage class that kind installs by itself is marked for the role local', async () => {
  const labelled = (await told()).filter((line) => line.startsWith('label '))
  assert.deepEqual(labelled, ['label --overwrite storageclass standard poolwright.dev/storage-role=local'])
})
