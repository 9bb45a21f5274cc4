import { type DataTable, Given, Then } from '@cucumber/cucumber'
import { expect } from 'chai'
import { fieldsOf } from '../support/entry-fields.ts'
import { almostFullPool, availableEntries } from '../support/large-pool.ts'
import type { PoolStatus } from '../support/plain-data.ts'
import { entryText, type PoolRow, poolData } from '../support/pool-table.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Makes the pool's ConfigMap with these entries; columns are described in [writing-scenarios.md](writing-scenarios.md). */
Given('a node pool:', async function (this: PoolwrightWorld, table: DataTable) {
  await this.poolConfigMap.create(poolData(table.hashes() as PoolRow[]))
})

/** Adds these entries to the pool. */
Given('the pool also has:', async function (this: PoolwrightWorld, table: DataTable) {
  const more = poolData(table.hashes() as PoolRow[])
  await this.poolConfigMap.change((data) => Object.assign(data, more))
})

/** Makes a pool of that size. */
Given('a node pool of {int} available entries', async function (this: PoolwrightWorld, count: number) {
  await this.poolConfigMap.create(availableEntries(count))
})

/** Makes a pool that is full but for that. */
Given(
  'a node pool that has {int} bytes left of the 1 MiB a ConfigMap may have',
  async function (this: PoolwrightWorld, bytesLeft: number) {
    await this.poolConfigMap.create(almostFullPool(bytesLeft))
  },
)

/** Makes a pool without a byte left, with a lease that somebody wrote by hand. */
Given(
  'a full node pool in which test {test} holds 192.0.2.10 by an entry without a last-updated',
  async function (this: PoolwrightWorld, testId: string) {
    const row = { address: '192.0.2.10', status: 'in-use', 'test-id': testId, age: '5 hours' }
    const text = entryText(row)
    await this.poolConfigMap.create(almostFullPool(0, text.replace(/^last-updated:.*\n/m, '')))
  },
)

/** Makes the pool's ConfigMap without data, or with none in it. */
Given(/^a pool with (no|empty) data$/, async function (this: PoolwrightWorld, which: string) {
  await this.poolConfigMap.create(which === 'empty' ? {} : undefined)
})

/** Makes sure that the ConfigMap does not exist. */
Given('there is no pool', async function (this: PoolwrightWorld) {
  expect(await this.poolConfigMap.read(), 'the pool’s ConfigMap').to.equal(undefined)
})

/** Has the implementation look for its pool in a namespace that is not there. */
Given("the pool's namespace does not exist", function (this: PoolwrightWorld) {
  this.site = { ...this.site, namespace: `${this.namespace}-missing` }
})

/** Marks the pool's ConfigMap as immutable. */
Given('the pool is immutable', async function (this: PoolwrightWorld) {
  await this.poolConfigMap.change((_, configMap) => {
    configMap.immutable = true
  })
})

/** The ConfigMap has not been made. */
Then('there is still no pool', async function (this: PoolwrightWorld) {
  expect(await this.poolConfigMap.read(), 'the pool’s ConfigMap').to.equal(undefined)
})

/** So many entries of the ConfigMap are available. */
Then('the pool shows {int} nodes as available', async function (this: PoolwrightWorld, count: number) {
  const texts = Object.values(await this.poolConfigMap.entries())
  expect(texts.filter((text) => /^status: available$/m.test(text)).length, 'available entries').to.equal(
    count,
  )
})

/** The entry in the ConfigMap has this status. */
Then(
  'the pool shows {address} as {status}',
  async function (this: PoolwrightWorld, address: string, status: PoolStatus) {
    expect(await fieldsAt(this, address), `entry ${address}`).to.include({ status })
  },
)

/** The entry in the ConfigMap is in-use and names this holder. */
Then(
  'the pool shows {address} as in-use by {test}',
  async function (this: PoolwrightWorld, address: string, testId: string) {
    const fields = await fieldsAt(this, address)
    expect(fields, `entry ${address}`).to.include({ status: 'in-use', 'test-id': testId })
  },
)

/** The ConfigMap has no such key. */
Then('the pool has no entry of {address}', async function (this: PoolwrightWorld, address: string) {
  expect(Object.keys(await this.poolConfigMap.entries()), 'addresses in the pool').not.to.include(address)
})

/** The fields of an entry as they now are; fails readably where there is no such entry. */
async function fieldsAt(world: PoolwrightWorld, address: string): Promise<Record<string, string>> {
  const entries = await world.poolConfigMap.entries()
  expect(Object.keys(entries), 'addresses in the pool').to.include(address)
  return fieldsOf(entries[address] ?? '')
}
