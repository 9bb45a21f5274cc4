import { Given, Then } from '@cucumber/cucumber'
import { expect } from 'chai'
import { entryWith, MALFORMED_ENTRIES } from '../support/malformed-entries.ts'
import { setEntry } from '../support/pool-config-map.ts'
import { instant } from '../support/pool-table.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Adds the entry of that name from `support/malformed-entries.ts`. */
Given(/^the pool also has an entry that is (.+)$/, async function (this: PoolwrightWorld, fault: string) {
  const entry = MALFORMED_ENTRIES[fault]
  if (!entry) throw new Error(`no entry is called "${fault}": see support/malformed-entries.ts`)
  await put(this, entry.address, entry.text)
})

/** Writes an entry that is well-formed but for this field, which is absent. */
Given(
  'the entry of {address} has no {word}',
  async function (this: PoolwrightWorld, address: string, field: string) {
    await put(this, address, entryWith({ [field]: undefined }))
  },
)

/** Writes an entry in use that is well-formed but for this field, which is absent. */
Given(
  'the entry of {address} is in use without {word}',
  async function (this: PoolwrightWorld, address: string, field: string) {
    const holder = { 'test-id': 'upgrade', 'allocated-at': instant(new Date(), -60_000) }
    await put(this, address, entryWith({ status: 'in-use', ...holder, [field]: undefined }))
  },
)

/** Replaces the entries by all of `support/malformed-entries.ts`. */
Given('a pool that holds nothing but malformed entries', async function (this: PoolwrightWorld) {
  const entries = Object.values(MALFORMED_ENTRIES).map(({ address, text }, index) => {
    // Most share one address; here each needs its own.
    return [address === '192.0.2.20' ? `192.0.2.${100 + index}` : address, text] as const
  })
  await this.poolConfigMap.change((data) => {
    for (const address of Object.keys(data)) delete data[address]
    for (const [address, text] of entries) setEntry(data, address, text)
  })
})

/** Log, stats and list tell of the entry that a step made malformed, and of the field that is wrong. */
Then('that entry is logged, counted and listed as malformed', async function (this: PoolwrightWorld) {
  const address = this.malformed
  expect(address, 'an entry that was made malformed').to.be.a('string')
  const { log } = this.outcomes.last('allocate').outcome
  const logged = log.filter((record) => record.address === address)

  const { stats } = await this.perform('stats', undefined)
  expect({ ...stats }, 'the stats').to.include({ malformed: 1 })
  const { listing } = await this.perform('list', undefined)
  expect(
    listing?.malformed.map((entry) => entry.address),
    'entries set aside',
  ).to.deep.equal([address])
  const field = listing?.malformed[0]?.field ?? ''
  expect(field, 'the field that is wrong').not.to.equal('')
  expect(logged.map(({ reason }) => reason).join('; '), `what the log says of ${address}`).to.include(field)
})

async function put(world: PoolwrightWorld, address: string, text: string): Promise<void> {
  world.malformed = address
  await world.poolConfigMap.change((data) => setEntry(data, address, text))
}
