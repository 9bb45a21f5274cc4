import { Given, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { untilEvent } from '../support/object-events.ts'
import { conditionOf, containerOf } from '../support/pods/pod.ts'
import { podsOf } from '../support/pods/pods.ts'
import { ANSWER, ANSWER_NO_MORE, answering, PROBE_PATHS, slowStarter } from '../support/pods/probed.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Running, when this step ends, and heard. */
Given(
  '{pod} has a startup, a readiness and a liveness probe, and answers none',
  async function (this: PoolwrightWorld, name: string) {
    await podsOf(this).create(name, slowStarter())
    await podsOf(this).untilRunning(name)
  },
)

/** Ready when this step ends. */
Given(
  '{pod} is ready as long as it answers its readiness probe',
  async function (this: PoolwrightWorld, name: string) {
    await podsOf(this).create(name, answering('readiness'))
    await podsOf(this).untilReady(name)
  },
)

/** Ready when this step ends. */
Given(
  '{pod} lives as long as it answers its liveness probe',
  async function (this: PoolwrightWorld, name: string) {
    await podsOf(this).create(name, answering('liveness'))
    await podsOf(this).untilReady(name)
  },
)

/** Two probes that failed come first; from then on it answers all. */
When(
  'its startup probe has failed twice, and {pod} begins to answer',
  async function (this: PoolwrightWorld, name: string) {
    const failed = `${PROBE_PATHS.startup} 503`
    await podsOf(this)
      .heard(name)
      .until('its startup probe to fail twice', this.limits.reaction, (lines) => {
        return lines.filter(({ text }) => text === failed).length > 1
      })
    await podsOf(this).actWell(name, [ANSWER])
  },
)

/** Its program runs on, and answers with an error. */
When('{pod} no longer answers its probe', async function (this: PoolwrightWorld, name: string) {
  await podsOf(this).actWell(name, [ANSWER_NO_MORE])
})

/** Waits until both others have asked; the pod's own log says who asked when. */
Then(
  'only the startup probe asked {pod} until it succeeded, and the others from then on',
  async function (this: PoolwrightWorld, name: string) {
    const { startup, readiness, liveness } = PROBE_PATHS
    const asked = await podsOf(this)
      .heard(name)
      .until('both other probes to ask', this.limits.reaction, (lines) => {
        const texts = lines.map(({ text }) => text)
        return [readiness, liveness].every((path) => texts.some((text) => text.startsWith(path))) && texts
      })
    const succeeded = asked.indexOf(`${startup} 200`)
    const early = asked.slice(0, succeeded).filter((text) => !text.startsWith(startup))
    expect(succeeded, `when the startup probe succeeded, of ${asked}`).to.be.greaterThan(0)
    expect(early, 'who asked before the startup probe had succeeded').to.deep.equal([])
  },
)

/** Waits until its Ready condition names the container. */
Then(
  '{pod} is not ready, and says which container is not',
  async function (this: PoolwrightWorld, name: string) {
    const ready = await podsOf(this).until(name, 'not to be ready', (pod) => {
      const condition = pod && conditionOf(pod, 'Ready')
      return condition?.status === 'False' && condition
    })
    expect(ready.reason, 'why it is not ready').to.equal('ContainersNotReady')
    expect(ready.message, 'what it says').to.include('[main]')
  },
)

/** Lets it answer, and waits. */
Then('{pod} is ready again once it answers', async function (this: PoolwrightWorld, name: string) {
  await podsOf(this).actWell(name, [ANSWER])
  await podsOf(this).untilReady(name)
})

/** Waits until it runs again, and for the event that tells why. */
Then(
  'the container of {pod} is restarted, because of its liveness probe',
  async function (this: PoolwrightWorld, name: string) {
    await podsOf(this).until(name, 'to be restarted', (pod) => {
      const { restartCount = 0, state } = (pod && containerOf(pod)) ?? {}
      return restartCount > 0 && state?.running
    })
    const takes = ({ reason, message }: { reason?: string; message?: string }): boolean =>
      reason === 'Unhealthy' && message?.startsWith('Liveness probe failed') === true
    await untilEvent(this, { kind: 'Pod', name }, 'that its liveness probe failed', takes)
  },
)
