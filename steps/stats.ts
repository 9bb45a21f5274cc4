import { type DataTable, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import type { PoolListing, PoolStats } from '../support/plain-data.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Asks for the counts of the pool. */
When('the stats are asked for', async function (this: PoolwrightWorld) {
  await this.perform('stats', undefined)
})

/** Asks for every entry of the pool. */
When('the pool is listed', async function (this: PoolwrightWorld) {
  await this.perform('list', undefined)
})

/** The last stats have these counts; columns that are left out don't matter. */
Then('the stats are:', function (this: PoolwrightWorld, table: DataTable) {
  const [row = {}] = table.hashes()
  const { enabled, total, available, inUse, quarantined, malformed } = stats(this)
  const found = { enabled, total, available, 'in-use': inUse, quarantined, malformed }
  const expected = Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, name === 'enabled' ? cell === 'true' : Number(cell)]),
  )
  expect(found, 'the stats').to.include(expected)
})

/** Asks for the stats: so many, all others available, none malformed. */
Then(
  'the stats count {int} entries, {int} of them in use',
  async function (this: PoolwrightWorld, total: number, inUse: number) {
    await this.perform('stats', undefined)
    expect({ ...stats(this) }, 'the stats').to.include({
      total,
      inUse,
      available: total - inUse,
      malformed: 0,
    })
  },
)

/** The last stats count exactly these platforms. */
Then('the stats count by platform:', function (this: PoolwrightWorld, table: DataTable) {
  const [row = {}] = table.hashes()
  const expected = Object.fromEntries(Object.entries(row).map(([platform, cell]) => [platform, Number(cell)]))
  expect({ ...stats(this).byPlatform }, 'entries by platform').to.deep.equal(expected)
})

/** The last list has exactly these entries, in any order. */
Then('the list shows:', function (this: PoolwrightWorld, table: DataTable) {
  const rows = listing(this).entries.map((entry) => ({
    address: entry.address,
    status: entry.status,
    platform: entry.platform,
    'address-type': entry.addressType,
    'test-id': entry.testId ?? '',
  }))
  expect(rows.sort(byAddress), 'the list').to.deep.equal(table.hashes().sort(byAddress))
})

/** The last list names this entry alone as malformed, with this field. */
Then(
  /^the list sets (\S+) aside for its (\S+)$/,
  function (this: PoolwrightWorld, address: string, field: string) {
    const aside = listing(this).malformed.map((entry) => `${entry.address}: ${entry.field}`)
    expect(aside, 'entries set aside').to.deep.equal([`${address}: ${field}`])
  },
)

function stats(world: PoolwrightWorld): PoolStats {
  const { outcome } = world.outcomes.last('stats')
  expect(outcome.error, 'asking for the stats').to.equal(undefined)
  expect(outcome.stats, 'the stats').to.be.an('object')
  return outcome.stats as PoolStats
}

function listing(world: PoolwrightWorld): PoolListing {
  const { outcome } = world.outcomes.last('list')
  expect(outcome.error, 'listing the pool').to.equal(undefined)
  expect(outcome.listing, 'the list').to.be.an('object')
  return outcome.listing as PoolListing
}

function byAddress(one: Record<string, string>, other: Record<string, string>): number {
  return (one.address ?? '') < (other.address ?? '') ? -1 : 1
}
