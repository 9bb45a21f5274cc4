import { Given, When } from '@cucumber/cucumber'
import type { NodeRole } from '../support/parameter-types.ts'
import { podsOf } from '../support/pods/pods.ts'
import { hostPortOf } from '../support/services/host-port.ts'
import { createServer, sayNotReady, sayReady, untilServerRuns } from '../support/services/servers.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** A pod that answers with its name, ready when this step ends. The service is made with its first server. */
Given(
  '{server} is ready behind {service}',
  async function (this: PoolwrightWorld, name: string, service: string) {
    await createServer(this, name, { service })
    await podsOf(this).untilReady(name)
  },
)

/** The same on one node. */
Given(
  '{server} is ready on {node} behind {service}',
  async function (this: PoolwrightWorld, name: string, node: NodeRole, service: string) {
    await createServer(this, name, { service, node })
    await podsOf(this).untilReady(name)
  },
)

/** Asked to end, it answers on until its grace period is over. */
Given(
  '{server} is ready behind {service}, and takes its time to end',
  async function (this: PoolwrightWorld, name: string, service: string) {
    await createServer(this, name, { service, lingers: true })
    await podsOf(this).untilReady(name)
  },
)

/** It would answer, but says that it is not ready. */
Given(
  '{server} runs behind {service}, but is not ready',
  async function (this: PoolwrightWorld, name: string, service: string) {
    await createServer(this, name, { service, ready: false })
    await untilServerRuns(this, name)
  },
)

/** No service sends it anything yet. */
Given('{server} is ready behind no service', async function (this: PoolwrightWorld, name: string) {
  await createServer(this, name, {})
  await podsOf(this).untilReady(name)
})

/** Behind no service: it has a port of its node to itself. */
Given(
  '{server} is ready on {node} with a host port',
  async function (this: PoolwrightWorld, name: string, node: NodeRole) {
    await createServer(this, name, { node, hostPort: hostPortOf(this) })
    await podsOf(this).untilReady(name)
  },
)

/** From its next probe on. */
When('{server} says that it is ready', async function (this: PoolwrightWorld, name: string) {
  await sayReady(this, name)
})

/** From its next probe on; it would answer all the same. */
When('{server} says that it is no longer ready', async function (this: PoolwrightWorld, name: string) {
  await sayNotReady(this, name)
})
