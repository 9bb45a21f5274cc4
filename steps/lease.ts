import { Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { addressesHeldBy, fieldsOf } from '../support/entry-fields.ts'
import { instant } from '../support/pool-table.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Asks for the node to be given back. */
When(
  'test {test} releases {address}',
  async function (this: PoolwrightWorld, testId: string, address: string) {
    await this.perform('release', { testId, address })
  },
)

/** Looks the holder up in the pool, then asks for its node to be given back. */
When('test {test} releases the node it holds', async function (this: PoolwrightWorld, testId: string) {
  const [address = ''] = addressesHeldBy(await this.poolConfigMap.entries(), testId)
  expect(address, `the address that "${testId}" holds`).not.to.equal('')
  await this.perform('release', { testId, address })
})

/** Asks for the node to be given back as suspect. */
When(
  'test {test} releases {address} as failed',
  async function (this: PoolwrightWorld, testId: string, address: string) {
    await this.perform('release', { testId, address, failed: true })
  },
)

/** Asks for that very lease to end, by its allocation time. */
When(
  'test {test} releases the lease of {address} that it took {age} ago',
  async function (this: PoolwrightWorld, testId: string, address: string, age: number) {
    await this.perform('release', { testId, address, allocatedAt: instant(new Date(), -age) })
  },
)

/** Asks for the lease to be renewed, by the allocation time in the pool. */
When(
  'test {test} renews its lease of {address}',
  async function (this: PoolwrightWorld, testId: string, address: string) {
    await this.perform('renew', { testId, address, allocatedAt: await allocationTime(this, address) })
  },
)

/** Asks for the lease of somebody else to be renewed. */
When(
  'test {test} renews the lease of {address} that {test} has',
  async function (this: PoolwrightWorld, testId: string, address: string, _holder: string) {
    await this.perform('renew', { testId, address, allocatedAt: await allocationTime(this, address) })
  },
)

/** Asks for that very lease to be renewed, by its allocation time. */
When(
  'test {test} renews the lease of {address} that it took {age} ago',
  async function (this: PoolwrightWorld, testId: string, address: string, age: number) {
    await this.perform('renew', { testId, address, allocatedAt: instant(new Date(), -age) })
  },
)

/** Asks for leases to end that nobody renewed for so long. */
When('leases older than {age} are reclaimed', async function (this: PoolwrightWorld, age: number) {
  await this.perform('reclaim', { olderThanSeconds: age / 1_000 })
})

/** The last reclaim succeeded and ended this lease and no other. */
Then('{address} alone is reclaimed', function (this: PoolwrightWorld, address: string) {
  expect(reclaimed(this), 'addresses reclaimed').to.deep.equal([address])
})

/** The last reclaim succeeded and ended no lease. */
Then('nothing is reclaimed', function (this: PoolwrightWorld) {
  expect(reclaimed(this), 'addresses reclaimed').to.deep.equal([])
})

/** The last reclaim left this lease alone and says why. */
Then('{address} is kept with a reason', function (this: PoolwrightWorld, address: string) {
  const { kept } = this.outcomes.last('reclaim').outcome
  const found = kept.find((lease) => lease.address === address)
  expect(
    kept.map((lease) => lease.address),
    'leases kept in doubt',
  ).to.include(address)
  expect(found?.reason, 'the reason').to.be.a('string').that.is.not.empty
})

async function allocationTime(world: PoolwrightWorld, address: string): Promise<string> {
  return fieldsOf((await world.poolConfigMap.entries())[address] ?? '')['allocated-at'] ?? ''
}

function reclaimed(world: PoolwrightWorld): string[] {
  return world.outcomes.lastSucceeded('reclaim').reclaimed.map(({ address }) => address)
}
