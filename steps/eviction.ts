import { Given, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { containerOf } from '../support/pods/pod.ts'
import { podsOf } from '../support/pods/pods.ts'
import { askedToEnd } from '../support/workloads/asked-to-end.ts'
import { assertEvicted, evictionRefusal, evictPod } from '../support/workloads/evictions.ts'
import { workloadsOf } from '../support/workloads/workloads.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Wants so many of the scenario's pods ready, whatever they are; in force when this step ends. */
Given(
  'disruption budget {string} keeps {int} pod(s) ready',
  async function (this: PoolwrightWorld, budget: string, count: number) {
    await workloadsOf(this).protect(budget, count, this.labels)
  },
)

/** Not waited for: evictions may be refused for a moment more. */
When('disruption budget {string} is gone', async function (this: PoolwrightWorld, budget: string) {
  await workloadsOf(this).deleteBudget(budget)
})

/** Asked once; whether the API agreed is for other steps to judge. */
When('{pod} is evicted', async function (this: PoolwrightWorld, name: string) {
  await evictPod(this, name)
})

/** With the code, the reason and the budget's name, for machines and people alike. */
Then(
  'the eviction is refused with {int}, naming disruption budget {string}',
  function (this: PoolwrightWorld, code: number, budget: string) {
    const { code: answered, status } = evictionRefusal(this)
    this.attach(JSON.stringify(status, undefined, 1), {
      mediaType: 'application/json',
      fileName: 'refusal.json',
    })
    expect(answered, 'code of the answer').to.equal(code)
    const cause = status.details?.causes?.find(({ reason }) => reason === 'DisruptionBudget')
    expect(cause?.message, 'cause of the refusal').to.include(`disruption budget ${budget} `)
  },
)

/** It takes no notice of SIGTERM; ready when this step ends. */
Given(
  '{pod} with a grace period of {int} seconds runs, and won’t end by itself',
  async function (this: PoolwrightWorld, name: string, seconds: number) {
    const spec = { terminationGracePeriodSeconds: seconds, restartPolicy: 'Never' }
    await podsOf(this).create(name, { does: ['term:ignore', 'stay:'], spec })
    await podsOf(this).untilReady(name)
  },
)

/**
 * The API agreed to the eviction and named this very grace; the container was killed when it was over and not before, by
 * the times that the cluster tells, in whole seconds.
 */
Then(
  '{pod} was evicted, and had its {int} seconds before it was killed',
  async function (this: PoolwrightWorld, name: string, seconds: number) {
    assertEvicted(this)
    const pods = podsOf(this)
    const last = await pods.record.gone(name, { limitMs: this.limits.reaction, signal: this.signal })
    const asked = askedToEnd(pods.record.of(name))
    expect(asked?.graceSeconds, 'seconds of grace that the cluster gives').to.equal(seconds)
    const ended = containerOf(last)?.state?.terminated
    expect(ended?.exitCode, 'exit code, 137 for SIGKILL').to.equal(137)
    const lived = (Date.parse(ended?.finishedAt ?? '') - (asked?.at ?? 0)) / 1_000
    expect(lived, 'seconds between the eviction and the end').to.be.at.least(seconds - 1)
  },
)
