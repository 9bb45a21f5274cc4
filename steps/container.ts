import { When } from '@cucumber/cucumber'
import { podsOf } from '../support/pods/pods.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Made, never restarted, and not waited for. */
When(
  '{pod} runs to its end with code {int}',
  async function (this: PoolwrightWorld, name: string, code: number) {
    await podsOf(this).create(name, { does: [`exit:${code}`], spec: { restartPolicy: 'Never' } })
  },
)
