import { Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { livesOf, pausesOf } from '../support/pods/lives.ts'
import { containerOf } from '../support/pods/pod.ts'
import { podsOf } from '../support/pods/pods.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Made, never restarted, and not waited for. */
When(
  '{pod} runs to its end with code {int}',
  async function (this: PoolwrightWorld, name: string, code: number) {
    await podsOf(this).create(name, { does: [`exit:${code}`], spec: { restartPolicy: 'Never' } })
  },
)

/** Each of them takes half a second, long enough to be seen beside another. */
When(
  '{pod} is created with init containers {string} and {string}',
  async function (this: PoolwrightWorld, name: string, first: string, second: string) {
    const does = ['say:begins', 'pause:0.5', 'say:ends']
    const initContainers = [first, second].map((container) => ({ name: container, does }))
    await podsOf(this).create(name, { initContainers, does: ['say:begins', 'stay:'] })
  },
)

/** Made, and not waited for. It lives for a moment each time. */
When(
  '{pod} is created, whose container fails as often as it is started',
  async function (this: PoolwrightWorld, name: string) {
    await podsOf(this).create(name, { does: ['exit:1'] })
  },
)

/** A volume that outlives the container tells the lives apart. */
When(
  'the container of {pod} says {string} and ends, and {string} once it is restarted',
  async function (this: PoolwrightWorld, name: string, before: string, after: string) {
    await podsOf(this).create(name, {
      does: [`once:/lives/said=say:${before}`, 'once:/lives/ended=exit:3', `say:${after}`, 'stay:'],
      container: { volumeMounts: [{ name: 'lives', mountPath: '/lives' }] },
      spec: { volumes: [{ name: 'lives', emptyDir: {} }] },
    })
  },
)

/** Several times its limit, which is enough for a program that takes nothing. */
When(
  'the container of {pod} takes more memory than its limit',
  async function (this: PoolwrightWorld, name: string) {
    await podsOf(this).create(name, {
      does: ['say:begins', 'eat:400', 'say:has it', 'stay:'],
      container: { resources: { requests: { memory: '32Mi' }, limits: { memory: '100Mi' } } },
      spec: { restartPolicy: 'Never' },
    })
  },
)

/** Waits until it runs again. */
Then('the container of {pod} is restarted', async function (this: PoolwrightWorld, name: string) {
  await podsOf(this).until(name, 'to be restarted', (pod) => {
    const { restartCount = 0, state } = (pod && containerOf(pod)) ?? {}
    return restartCount > 0 && state?.running
  })
})

/** Waits until the pod says that its container waits for a restart. */
Then('the restart of {pod} is put off, and it says so', async function (this: PoolwrightWorld, name: string) {
  await podsOf(this).until(name, 'to say that its restart is put off', (pod) => {
    return pod && containerOf(pod)?.state?.waiting?.reason === 'CrashLoopBackOff'
  })
})

/** Waits for its third life; pauses are those of the cluster's own record. */
Then(
  'the second restart of {pod} comes after a longer pause than the first',
  async function (this: PoolwrightWorld, name: string) {
    const [first = 0, second = 0] = await podsOf(this).untilRecord(
      name,
      'to be restarted twice',
      (moments) => {
        const pauses = pausesOf(livesOf(moments))
        return pauses.length > 1 && pauses
      },
    )
    expect(second, `milliseconds before the second restart of pod ${name}`).to.be.greaterThan(first)
  },
)

/** Of the container that ended, and of the one that came after it. */
Then(
  'the logs of {pod} read {string} since the restart, and {string} before it',
  async function (this: PoolwrightWorld, name: string, after: string, before: string) {
    const pods = podsOf(this)
    const heard = await pods.untilRunning(name)
    await heard.until('a word since the restart', this.limits.reaction, ({ length }) => length > 0)
    expect(await pods.logs(name), 'the logs since the restart').to.equal(`${after}\n`)
    expect(await pods.logs(name, { previous: true }), 'the logs before the restart').to.equal(`${before}\n`)
  },
)
