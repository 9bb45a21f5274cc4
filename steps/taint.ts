import { Given, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { nodesOf } from '../support/nodes/nodes.ts'
import type { NodeRole } from '../support/parameter-types.ts'
import { podsOf } from '../support/pods/pods.ts'
import { changesCluster } from '../support/safety/changing-steps.ts'
import { askedToEnd } from '../support/workloads/asked-to-end.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Effect NoSchedule: pods that don't tolerate it are not put there, and those that are there stay. */
When(
  'the taint {string} keeps pods off {node}',
  changesCluster,
  function (this: PoolwrightWorld, taint: string, role: NodeRole) {
    return nodesOf(this).taint(role, keyOf(taint), 'NoSchedule')
  },
)

/** Effect PreferNoSchedule. */
Given(
  'the taint {string} makes pods avoid {node}',
  changesCluster,
  function (this: PoolwrightWorld, taint: string, role: NodeRole) {
    return nodesOf(this).taint(role, keyOf(taint), 'PreferNoSchedule')
  },
)

/** Effect NoExecute: pods that don't tolerate it are taken away, too. */
When(
  'the taint {string} drives pods away from {node}',
  changesCluster,
  function (this: PoolwrightWorld, taint: string, role: NodeRole) {
    return nodesOf(this).driveAway(role, keyOf(taint))
  },
)

/** Whatever its effect. */
When(
  'the taint {string} of {node} is gone',
  changesCluster,
  function (this: PoolwrightWorld, taint: string, role: NodeRole) {
    return this.changes.untaint(nodesOf(this).name(role), [keyOf(taint)])
  },
)

/** Made, and not waited for. */
When(
  '{pod} that tolerates the taint {string} is created for {node}',
  function (this: PoolwrightWorld, name: string, taint: string, role: NodeRole) {
    return createTolerating(this, name, role, { key: keyOf(taint) })
  },
)

/** For ever; ready when this step ends. */
Given(
  '{pod} that tolerates the taint {string} runs on {node}',
  async function (this: PoolwrightWorld, name: string, taint: string, role: NodeRole) {
    await createTolerating(this, name, role, { key: keyOf(taint) })
    await podsOf(this).untilReady(name)
  },
)

/** That long and no longer; ready when this step ends. */
Given(
  '{pod} that tolerates the taint {string} for {int} seconds runs on {node}',
  async function (this: PoolwrightWorld, name: string, taint: string, seconds: number, role: NodeRole) {
    const timed = { key: keyOf(taint), effect: 'NoExecute', tolerationSeconds: seconds }
    await createTolerating(this, name, role, timed)
    await podsOf(this).untilReady(name)
  },
)

/**
 * By the times at which the cluster wrote the taint and asked the pod to end, in whole seconds; how much later at most is
 * nobody's promise.
 */
Then(
  '{pod} was driven away no sooner than {int} seconds after the taint',
  async function (this: PoolwrightWorld, name: string, seconds: number) {
    const { record } = podsOf(this)
    await record.gone(name, { limitMs: this.limits.reaction, signal: this.signal })
    const asked = askedToEnd(record.of(name))
    if (!asked) expect.fail(`pod ${name} was never asked to end`)
    const after = (asked.at - nodesOf(this).taintedAt) / 1_000
    expect(after, `seconds from the taint to the end of pod ${name}`).to.be.at.least(seconds - 1)
  },
)

/** A key of our own. */
function keyOf(taint: string): string {
  return `poolwright.dev/${taint}`
}

function createTolerating(
  world: PoolwrightWorld,
  name: string,
  role: NodeRole,
  toleration: object,
): Promise<void> {
  const tolerations = [{ operator: 'Exists', ...toleration }]
  return podsOf(world).create(name, { does: ['stay:'], node: nodesOf(world).name(role), tolerations })
}
