import { type DataTable, Given, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import type { NodeRole } from '../support/parameter-types.ts'
import { conditionOf, containerOf, containersOf, isReady } from '../support/pods/pod.ts'
import { podsOf } from '../support/pods/pods.ts'
import { showLine } from '../support/pods/transcript.ts'
import { whatHappened } from '../support/pods/what-happened.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** A pod that does nothing but be there, on whatever node takes it; ready when this step ends. */
Given('{pod} runs', async function (this: PoolwrightWorld, name: string) {
  await podsOf(this).create(name, { does: ['stay:'] })
  await podsOf(this).untilReady(name)
})

/** A pod that does nothing but be there, ready when this step ends. */
Given('{pod} runs on {node}', async function (this: PoolwrightWorld, name: string, role: NodeRole) {
  const pods = podsOf(this)
  await pods.create(name, { does: ['stay:'], node: pods.node(role) })
  await pods.untilReady(name)
})

/** Made, and not waited for. */
When('{pod} is created for {node}', async function (this: PoolwrightWorld, name: string, role: NodeRole) {
  const pods = podsOf(this)
  await pods.create(name, { does: ['stay:'], node: pods.node(role) })
})

/** Deleted with its own grace period, and not waited for. */
When('{pod} is deleted', async function (this: PoolwrightWorld, name: string) {
  await podsOf(this).delete(name)
})

/** Waits until it is ready. */
Then('{pod} becomes ready', async function (this: PoolwrightWorld, name: string) {
  await podsOf(this).untilReady(name)
})

/** Waits until it is ready, and looks where. */
Then('{pod} becomes ready on {node}', async function (this: PoolwrightWorld, name: string, role: NodeRole) {
  const { spec } = await podsOf(this).untilReady(name)
  expect(spec?.nodeName, `the node of pod ${name}`).to.equal(podsOf(this).node(role))
})

/** Now, without waiting: what held before must hold still. */
Then('{pod} is still ready', async function (this: PoolwrightWorld, name: string) {
  const pod = await podsOf(this).get(name)
  expect(isReady(pod), `pod ${name} ready`).to.equal(true)
})

/** Waits until nothing of it is left. */
Then('{pod} is gone', async function (this: PoolwrightWorld, name: string) {
  await podsOf(this).until(name, 'to be gone', (pod) => pod === undefined)
})

/** Waits until the scheduler says so; its message has these words. */
Then(
  '{pod} stays unscheduled, because of {string}',
  async function (this: PoolwrightWorld, name: string, words: string) {
    const condition = await podsOf(this).until(name, 'to be refused by the scheduler', (pod) => {
      const scheduled = pod && conditionOf(pod, 'PodScheduled')
      return scheduled?.status === 'False' && scheduled
    })
    expect(condition.reason, 'why it is not scheduled').to.equal('Unschedulable')
    expect(condition.message, 'what the scheduler says').to.include(words)
  },
)

/** Waits until its container has ended. */
Then('{pod} ends with code {int}', async function (this: PoolwrightWorld, name: string, code: number) {
  const ended = await podsOf(this).until(name, 'to end', (pod) => pod && containerOf(pod)?.state?.terminated)
  expect(ended.exitCode, `exit code of pod ${name}`).to.equal(code)
})

/** Now, without waiting: none of its containers. */
Then('{pod} has not been restarted', async function (this: PoolwrightWorld, name: string) {
  const restarts = containersOf(await podsOf(this).get(name)).map(({ restartCount }) => restartCount)
  expect(Math.max(...restarts.map((count) => count ?? 0)), `restarts of pod ${name}`).to.equal(0)
})

/** What its containers said, in the order in which they said it; to its end, when it is gone. */
Then(
  'this happened in {pod}, in this order:',
  async function (this: PoolwrightWorld, name: string, table: DataTable) {
    const expected = table.raw().flat()
    const lines = (await whatHappened(this, name, expected.length)).map(showLine)
    expect(lines, `what happened in pod ${name}: ${lines.join(', ')}`).to.deep.equal(expected)
  },
)
