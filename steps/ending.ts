import { Given, Then } from '@cucumber/cucumber'
import { expect } from 'chai'
import { containerOf, showState } from '../support/pods/pod.ts'
import { actorCommand } from '../support/pods/pod-template.ts'
import { podsOf } from '../support/pods/pods.ts'
import { startedSidecar } from '../support/pods/probed.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Long enough for SIGTERM and SIGKILL to be told apart by a record that knows whole seconds. */
const GRACE_SECONDS = 2

/** The container goes on for half a second after SIGTERM. Both are heard to their end. */
Given(
  '{pod} runs with sidecar {string}',
  async function (this: PoolwrightWorld, name: string, sidecar: string) {
    await podsOf(this).create(name, {
      initContainers: [{ name: sidecar, ...startedSidecar() }],
      does: ['term:0=0.5', 'say:begins', 'stay:'],
    })
    await podsOf(this).untilBegun(name)
  },
)

/** The hook takes half a second; the container ends at SIGTERM, and is heard to its end. */
Given('{pod} takes its leave in a preStop hook', async function (this: PoolwrightWorld, name: string) {
  const notes = 'notes'
  const hook = [`append:${notes}=takes its leave`, 'pause:0.5', `append:${notes}=has taken its leave`]
  await podsOf(this).create(name, {
    does: [`tail:${notes}`, 'say:begins', 'stay:'],
    container: { lifecycle: { preStop: { exec: { command: actorCommand(hook) } } } },
  })
  await podsOf(this).untilBegun(name)
})

/** It has a short grace period, and is heard to its end. */
Given('{pod} ignores SIGTERM', async function (this: PoolwrightWorld, name: string) {
  await podsOf(this).create(name, {
    does: ['term:ignore', 'say:begins', 'stay:'],
    spec: { terminationGracePeriodSeconds: GRACE_SECONDS },
  })
  await podsOf(this).untilBegun(name)
})

/** The pod's own word of SIGTERM, and the last that the cluster said of its container. Both times are the node's. */
Then(
  '{pod} was killed, but no sooner than its grace period after SIGTERM',
  async function (this: PoolwrightWorld, name: string) {
    const pods = podsOf(this)
    const { state } = containerOf(await pods.untilGone(name)) ?? {}
    expect(state?.terminated?.exitCode, `exit code, of ${showState(state)}`).to.equal(137)
    const said = await pods.heard(name).untilEnd(this.limits.reaction)
    const term = said.find(({ text }) => text === 'SIGTERM')
    expect(term, 'SIGTERM, as the container heard it').not.to.equal(undefined)
    const after = Date.parse(state?.terminated?.finishedAt ?? '') - Number((term?.at ?? 0n) / 1_000_000n)
    // The end was told without its fraction of a second.
    expect(after, 'milliseconds from SIGTERM to the end').to.be.at.least((GRACE_SECONDS - 1) * 1_000)
  },
)
