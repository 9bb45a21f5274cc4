import { Given, Then, When } from '@cucumber/cucumber'
import { changeNotice, mountNotice, untilRead } from '../support/pods/notice.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** It has read it when this step ends. */
Given(
  '{pod} mounts ConfigMap {string}, and reads {string}',
  async function (this: PoolwrightWorld, name: string, configMap: string, text: string) {
    await mountNotice(this, name, configMap, text)
    await untilRead(this, name, text)
  },
)

/** The same ConfigMap, nothing else. */
When(
  'ConfigMap {string} is changed to {string}',
  async function (this: PoolwrightWorld, configMap: string, text: string) {
    await changeNotice(this, configMap, text)
  },
)

/** Waits for as long as a node may take to look again. */
Then('{pod} reads {string}', async function (this: PoolwrightWorld, name: string, text: string) {
  await untilRead(this, name, text)
})
