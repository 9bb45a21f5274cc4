import { type DataTable, Given, Then } from '@cucumber/cucumber'
import { expect } from 'chai'
import type { PoolStatus } from '../src/contract/pool.ts'
import { fieldsOf } from '../support/entry-fields.ts'
import { type PoolRow, poolData } from '../support/pool-table.ts'
import type { PoolwrightWorld } from '../support/world.ts'

Given('a node pool:', async function (this: PoolwrightWorld, table: DataTable) {
  await this.poolConfigMap.create(poolData(table.hashes() as PoolRow[]))
})

Given('the pool also has:', async function (this: PoolwrightWorld, table: DataTable) {
  const more = poolData(table.hashes() as PoolRow[])
  await this.poolConfigMap.change((data) => Object.assign(data, more))
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
