import { type DataTable, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { DrainRefusedError } from '../support/drain/drain-errors.ts'
import { drainNode, lastDrain, lastDrained } from '../support/drain/scenario-drain.ts'
import { nodesOf } from '../support/nodes/nodes.ts'
import type { NodeRole } from '../support/parameter-types.ts'
import { podsOf } from '../support/pods/pods.ts'
import { changesCluster } from '../support/safety/changing-steps.ts'
import { workloadsOf } from '../support/workloads/workloads.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Of the scenario's own pods, as an administrator drains it; how it went is for other steps to judge. */
When('{node} is drained', changesCluster, async function (this: PoolwrightWorld, role: NodeRole) {
  await drainNode(this, role)
})

/** Whoever drains agrees that pods go which nobody replaces, and data that nobody has kept. */
When(
  '{node} is drained by force, local data included',
  changesCluster,
  async function (this: PoolwrightWorld, role: NodeRole) {
    await drainNode(this, role, { force: true, deleteLocalData: true })
  },
)

/** The last drain succeeded, and none of the scenario's pods is on the node but those that it left to their DaemonSet. */
Then('nothing is left to drain on {node}', async function (this: PoolwrightWorld, role: NodeRole) {
  const { drained } = lastDrained(this)
  expect(drained.gone, 'what the drain removed').to.not.be.empty
  const node = nodesOf(this).name(role)
  const there = await podsOf(this).untilAll({}, 'to be listed', (pods) => pods)
  const names = there.filter(({ spec }) => spec?.nodeName === node).map(({ metadata }) => metadata?.name)
  expect(names, `pods on node ${node}`).to.have.members(drained.left.map(({ pod }) => pod.name))
})

/** It refused exactly these, each for this reason; a workload stands for its only pod. Nothing was asked to go. */
Then(
  'the drain is refused before anything is evicted, because of:',
  async function (this: PoolwrightWorld, table: DataTable) {
    const { error, progress } = lastDrain(this)
    if (!(error instanceof DrainRefusedError)) throw error ?? new Error('the drain was not refused')
    const expected = await Promise.all(
      table.hashes().map(async ({ pod, workload, because }) => ({
        pod: pod || (await workloadsOf(this).onlyPod(workload ?? '')).metadata?.name,
        because,
      })),
    )
    const refused = error.refused.map(({ pod: { name }, why }) => ({ pod: name, because: why }))
    expect(refused, 'what the drain refuses').to.have.deep.members(expected)
    expect(progress, 'what was done').to.deep.equal([])
    const there = await podsOf(this).untilAll({}, 'to be listed', (pods) => pods)
    const leaving = there
      .filter(({ metadata }) => metadata?.deletionTimestamp)
      .map(({ metadata }) => metadata?.name)
    expect(leaving, 'pods that were asked to end').to.deep.equal([])
  },
)

/** It succeeded, though an eviction was refused before: with 429, in words that name the budget. */
Then(
  'the drain had to wait for disruption budget {string}',
  function (this: PoolwrightWorld, budget: string) {
    const { progress } = lastDrained(this)
    const waits = progress.filter(({ what }) => what === 'refused for now').map(({ why }) => why)
    expect(waits, 'evictions that were refused').to.not.be.empty
    expect(waits[0], 'why it was refused').to.include('429').and.to.include(`disruption budget ${budget}`)
  },
)

/** It succeeded and left the workload's only pod, which is the same and still ready. */
Then(
  'the drain left the pod of DaemonSet {string} alone',
  async function (this: PoolwrightWorld, workload: string) {
    const { drained } = lastDrained(this)
    const pod = await workloadsOf(this).onlyPod(workload)
    const left = drained.left.map(({ pod: { uid } }) => uid)
    expect(left, 'pods that the drain left').to.deep.equal([pod.metadata?.uid])
    expect(pod.metadata?.deletionTimestamp, `end of pod ${pod.metadata?.name}`).to.equal(undefined)
    await podsOf(this).untilReady(pod.metadata?.name ?? '')
  },
)
