import { type DataTable, Given, Then } from '@cucumber/cucumber'
import { expect } from 'chai'
import { fieldsOf } from '../support/entry-fields.ts'
import { almostFullPool, availableEntries } from '../support/large-pool.ts'
import type { PoolStatus } from '../support/plain-data.ts'
import { type PoolRow, poolData } from '../support/pool-table.ts'
import type { PoolwrightWorld } from '../support/world.ts'

Given('a node pool:', async function (this: PoolwrightWorld, table: DataTable) {
  await this.poolConfigMap.create(poolData(table.hashes() as PoolRow[]))
})

Given('the pool also has:', async function (this: PoolwrightWorld, table: DataTable) {
  const more = poolData(table.hashes() as PoolRow[])
  await this.poolConfigMap.change((data) => Object.assign(data, more))
})

Given('a node pool of {int} available entries', async function (this: PoolwrightWorld, count: number) {
  await this.poolConfigMap.create(availableEntries(count))
})

Given(
  'a node pool that has {int} bytes left of the 1 MiB a ConfigMap may have',
  async function (this: PoolwrightWorld, bytesLeft: number) {
    await this.poolConfigMap.create(almostFullPool(bytesLeft))
  },
)

Given(/^a pool with (no|empty) data$/, async function (this: PoolwrightWorld, which: string) {
  await this.poolConfigMap.create(which === 'empty' ? {} : undefined)
})

Given('there is no pool', async function (this: PoolwrightWorld) {
  expect(await this.poolConfigMap.read(), 'the pool’s ConfigMap').to.equal(undefined)
})

Given("the pool's namespace does not exist", function (this: PoolwrightWorld) {
  this.site = { ...this.site, namespace: `${this.namespace}-missing` }
})

Given('the pool is immutable', async function (this: PoolwrightWorld) {
  await this.poolConfigMap.change((_, configMap) => {
    configMap.immutable = true
  })
})

Then('there is still no pool', async function (this: PoolwrightWorld) {
  expect(await this.poolConfigMap.read(), 'the pool’s ConfigMap').to.equal(undefined)
})

Then('the pool shows {int} nodes as available', async function (this: PoolwrightWorld, count: number) {
  const texts = Object.values(await this.poolConfigMap.entries())
  expect(texts.filter((text) => /^status: available$/m.test(text)).length, 'available entries').to.equal(
    count,
  )
})

Then(
  'the pool shows {address} as {status}',
  async function (this: PoolwrightWorld, address: string, status: PoolStatus) {
    expect(await fieldsAt(this, address), `entry ${address}`).to.include({ status })
  },
)

Then(
  'the pool shows {address} as in-use by {test}',
  async function (this: PoolwrightWorld, address: string, testId: string) {
    const fields = await fieldsAt(this, address)
    expect(fields, `entry ${address}`).to.include({ status: 'in-use', 'test-id': testId })
  },
)

Then('the pool has no entry of {address}', async function (this: PoolwrightWorld, address: string) {
  expect(Object.keys(await this.poolConfigMap.entries()), 'addresses in the pool').not.to.include(address)
})

/** The fields of an entry as they now are; fails readably where there is no such entry. */
async function fieldsAt(world: PoolwrightWorld, address: string): Promise<Record<string, string>> {
  const entries = await world.poolConfigMap.entries()
  expect(Object.keys(entries), 'addresses in the pool').to.include(address)
  return fieldsOf(entries[address] ?? '')
}
