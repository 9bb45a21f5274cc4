import { isIPv4 } from 'node:net'
import { Given, When } from '@cucumber/cucumber'
import { createNode } from '../support/cluster-node.ts'
import { demandSuccess } from '../support/outcomes.ts'
import type { AddRequest, PoolStatus } from '../support/plain-data.ts'
import { changesCluster } from '../support/safety/changing-steps.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Adds the host to the pool, and fails unless it succeeds. */
Given(
  '{platform} host {address} has been added',
  async function (this: PoolwrightWorld, platform: string, address: string) {
    demandSuccess(await this.perform('add', host(address, platform)), 'adding the host')
  },
)

/** Makes such a Node in the cluster. */
Given(
  'a Node with the address {address} is Ready',
  changesCluster,
  async function (this: PoolwrightWorld, address: string) {
    await createNode(this, [address], true)
  },
)

/** Makes such a Node in the cluster. */
Given(
  'a Node with the address {address} is not Ready',
  changesCluster,
  async function (this: PoolwrightWorld, address: string) {
    await createNode(this, [address], false)
  },
)

/** Makes one Node that is known by both. */
Given(
  'a Ready Node has the addresses {address} and {address}',
  changesCluster,
  async function (this: PoolwrightWorld, one: string, other: string) {
    await createNode(this, [one, other], true)
  },
)

/** Asks for a vsphere host to be added in that state. */
When(
  '{address} is added as {status}',
  async function (this: PoolwrightWorld, address: string, status: PoolStatus) {
    await this.perform('add', { ...host(address, 'vsphere'), status })
  },
)

/** Asks for the host to be removed. */
When('{address} is removed', async function (this: PoolwrightWorld, address: string) {
  await this.perform('remove', { address })
})

/** Asks for the host to be removed even when it is in use. */
When('{address} is removed by force', async function (this: PoolwrightWorld, address: string) {
  await this.perform('remove', { address, force: true })
})

function host(address: string, platform: string): AddRequest {
  const addressType = isIPv4(address) || address.includes(':') ? 'ip' : 'dns'
  return { address, platform, username: 'Administrator', addressType }
}
