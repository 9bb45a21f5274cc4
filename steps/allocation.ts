import { Given, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import type { AddressType } from '../src/contract/pool.ts'
import type { PoolwrightWorld } from '../support/world.ts'

Given(
  'test {test} has allocated a(n) {platform} node',
  async function (this: PoolwrightWorld, testId: string, platform: string) {
    const { error } = await this.perform('allocate', { testId, platform })
    expect(error, 'the allocation before').to.equal(undefined)
  },
)

When('test {test} allocates a node', async function (this: PoolwrightWorld, testId: string) {
  await this.perform('allocate', { testId })
})

When(
  'test {test} allocates a(n) {platform} node',
  async function (this: PoolwrightWorld, testId: string, platform: string) {
    await this.perform('allocate', { testId, platform })
  },
)

When(
  'test {test} allocates a(n) {platform} node by {address-type}',
  async function (this: PoolwrightWorld, testId: string, platform: string, addressType: AddressType) {
    await this.perform('allocate', { testId, platform, addressType })
  },
)

When('a node is allocated without a test id', async function (this: PoolwrightWorld) {
  await this.perform('allocate', { testId: '' })
})

Then('it is given {address}', function (this: PoolwrightWorld, address: string) {
  expect(given(this).address, 'the node given').to.equal(address)
})

Then(
  'it is given {address} with user {string}',
  function (this: PoolwrightWorld, address: string, username: string) {
    expect(given(this), 'the node given').to.include({ address, username })
  },
)

/** The node of the last allocation, which must have succeeded. */
function given(world: PoolwrightWorld): object & { address: string } {
  const { outcome } = world.outcomes.last('allocate')
  expect(outcome.error, 'the allocation').to.equal(undefined)
  expect(outcome.node, 'the node given').to.be.an('object')
  return outcome.node as object & { address: string }
}
