import { Given, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { parse } from 'yaml'
import { fieldsOf } from '../support/entry-fields.ts'
import { WRITES } from '../support/interference/rule.ts'
import { ODD_NEIGHBOURS } from '../support/odd-entries.ts'
import type { EntryOutcome, PoolStatus } from '../support/plain-data.ts'
import { instant } from '../support/pool-table.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Entries may tell time to the second, and the operation takes some of its own. */
const CLOCK_TOLERANCE_MS = 1_000

/** Writes the entry as the doc string has it, past the implementation. */
Given('the entry of {address} reads:', async function (this: PoolwrightWorld, address: string, text: string) {
  await this.poolConfigMap.change((data) => {
    data[address] = `${text}\n`
  })
})

/** Adds the entries of `support/odd-entries.ts`, which no update may touch. */
Given(
  'the pool has neighbours with comments, tabs, CRLF and odd quoting',
  async function (this: PoolwrightWorld) {
    await this.poolConfigMap.change((data) => Object.assign(data, ODD_NEIGHBOURS))
  },
)

/** Asks for the state to be changed, without naming a test. */
When('{address} is set to {status}', async function (this: PoolwrightWorld, address: string, to: PoolStatus) {
  await this.perform('updateStatus', { address, to })
})

/** Asks for the state to be changed on behalf of this test. */
When(
  'test {test} sets {address} to {status}',
  async function (this: PoolwrightWorld, testId: string, address: string, to: PoolStatus) {
    await this.perform('updateStatus', { address, to, testId })
  },
)

/** Neither test-id nor allocated-at has a value. */
Then('the entry of {address} names no holder', async function (this: PoolwrightWorld, address: string) {
  const fields = fieldsOf((await this.poolConfigMap.entries())[address] ?? '')
  expect(fields['test-id'] ?? '', 'test-id').to.equal('')
  expect(fields['allocated-at'] ?? '', 'allocated-at').to.equal('')
})

/** The text of the entry contains this. */
Then(
  'the entry of {address} says {string}',
  async function (this: PoolwrightWorld, address: string, part: string) {
    expect((await this.poolConfigMap.entries())[address], `entry ${address}`).to.include(part)
  },
)

/** The text of the entry contains all three. */
Then(
  'the entry of {address} still says {string}, {string} and {string}',
  async function (this: PoolwrightWorld, address: string, one: string, two: string, three: string) {
    const text = (await this.poolConfigMap.entries())[address]
    for (const part of [one, two, three]) expect(text, `entry ${address}`).to.include(part)
  },
)

/** YAML 1.1 and 1.2 read the test id as this text, and as nothing else. */
Then(
  'every YAML reader takes the holder of {address} for {test}',
  async function (this: PoolwrightWorld, address: string, testId: string) {
    const text = (await this.poolConfigMap.entries())[address] ?? ''
    for (const version of ['1.1', '1.2'] as const) {
      const read: unknown = parse(text, { version })
      expect(read, `entry ${address} as YAML ${version} reads it`).to.include({ 'test-id': testId })
    }
  },
)

/** last-updated lies within the last operation. */
Then(
  'the entry of {address} was last updated just now',
  async function (this: PoolwrightWorld, address: string) {
    const fields = fieldsOf((await this.poolConfigMap.entries())[address] ?? '')
    expectJustNow(this, fields['last-updated'], 'last-updated')
  },
)

/** Status and holder are these, and allocated-at lies within the last operation. */
Then(
  'the pool shows {address} as in-use by {test} since just now',
  async function (this: PoolwrightWorld, address: string, testId: string) {
    const fields = fieldsOf((await this.poolConfigMap.entries())[address] ?? '')
    expect(fields, `entry ${address}`).to.include({ status: 'in-use', 'test-id': testId })
    expectJustNow(this, fields['allocated-at'], 'allocated-at')
  },
)

/** Status and holder are these, and allocated-at is that old. */
Then(
  'the pool shows {address} as in-use by {test} since {age} ago',
  async function (this: PoolwrightWorld, address: string, testId: string, age: number) {
    const fields = fieldsOf((await this.poolConfigMap.entries())[address] ?? '')
    expect(fields, `entry ${address}`).to.include({ status: 'in-use', 'test-id': testId })
    const expected = Date.parse(instant(new Date(), -age))
    expect(Date.parse(fields['allocated-at'] ?? ''), 'allocated-at').to.be.closeTo(expected, this.limits.step)
  },
)

/** Every entry is byte for byte what it was before the first operation. */
Then('no entry has changed', async function (this: PoolwrightWorld) {
  expectSameEntries(this.before?.data ?? {}, await this.poolConfigMap.entries())
})

/** So is every entry that the last operation was not about. */
Then('no other entry has changed', async function (this: PoolwrightWorld) {
  expectSameEntries(this.before?.data ?? {}, await this.poolConfigMap.entries(), touchedAddresses(this))
})

/** The last operation sent no write to the pool. */
Then('nothing was written', function (this: PoolwrightWorld) {
  const writes = this.wire(WRITES).map(({ verb, path }) => `${verb} ${path}`)
  expect(writes, 'writes on the wire').to.deep.equal([])
})

/** Byte for byte; the failure shows the entries that differ and no others. */
function expectSameEntries(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  except: ReadonlySet<string> = new Set(),
): void {
  const addresses = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...addresses].filter(
    (address) => !except.has(address) && before[address] !== after[address],
  )
  const pick = (entries: Readonly<Record<string, string>>) =>
    changed.map((address) => [address, entries[address]])
  expect(pick(after), 'entries that should have stayed as they were').to.deep.equal(pick(before))
}

/** The entries that the last operation was about: named in its request, or in its outcome. */
function touchedAddresses(world: PoolwrightWorld): Set<string> {
  const last = world.outcomes.all.findLast(({ operation }) => operation !== 'stats' && operation !== 'list')
  if (!last) throw new Error('no operation was asked for before this step')
  const { operation, request, outcome } = last
  const named =
    (request as { address?: string } | undefined)?.address ?? (outcome as EntryOutcome).node?.address
  const reclaimed = operation === 'reclaim' ? world.outcomes.last('reclaim').outcome.reclaimed : []
  const addresses = [named, ...reclaimed.map(({ address }) => address)].filter(
    (address) => address !== undefined,
  )
  expect(addresses, 'addresses that the operation touched').not.to.be.empty
  return new Set(addresses)
}

function expectJustNow(world: PoolwrightWorld, time: string | undefined, field: string): void {
  const { startedAt, tookMs } = world.outcomes.last()
  expect(time, field).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  expect(Date.parse(time ?? ''), `${field} ${time}`).to.be.within(
    startedAt - CLOCK_TOLERANCE_MS,
    startedAt + tookMs + CLOCK_TOLERANCE_MS,
  )
}
