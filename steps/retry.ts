import { Given, Then } from '@cucumber/cucumber'
import { expect } from 'chai'
import type { Exchange } from '../support/interference/journal.ts'
import { WRITES } from '../support/interference/rule.ts'
import type { EntryOutcome, LockStrategy } from '../support/plain-data.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Short, since how long the delays are is the business of one scenario alone. */
const BASE_DELAY_MS = 1
/** What the delays of the default policy add up to at most. */
const DEFAULT_DELAYS_MS = 500 + 1_000 + 2_000 + 4_000

/** Leaves the retry policy to the implementation: five attempts, 500 ms doubled. */
Given('operations try as they do by default', function (this: PoolwrightWorld) {
  this.retry = undefined
  this.stepClock.allowMore(DEFAULT_DELAYS_MS)
})

/** From now on, with delays too short to matter. */
Given('operations try {int} times', function (this: PoolwrightWorld, attempts: number) {
  this.retry = { attempts, baseDelayMs: BASE_DELAY_MS }
})

/** From now on a deadline takes the place of a count of attempts. */
Given('operations try for {age}', function (this: PoolwrightWorld, deadlineMs: number) {
  this.retry = { deadlineMs, baseDelayMs: BASE_DELAY_MS }
})

/** From now on a write is protected by the whole object's version, or by tests on the entry. */
Given(
  /^operations lock by (resource-version|entry)$/,
  function (this: PoolwrightWorld, strategy: LockStrategy) {
    this.strategy = strategy
  },
)

/** Writes that the proxy saw, and attempts that the outcome tells of. */
Then(
  /^it took (\d+) attempts?, on the wire as in its own words$/,
  function (this: PoolwrightWorld, count: string) {
    expect(this.outcomes.last().outcome.attempts, 'attempts in its own words').to.equal(Number(count))
    expect(this.wire(WRITES).length, 'writes on the wire').to.equal(Number(count))
  },
)

/** Gets and lists of the pool that the proxy saw during the last operation. */
Then('the pool was read {int} times on the wire', function (this: PoolwrightWorld, count: number) {
  expect(this.wire(['get', 'list']).length, 'reads on the wire').to.equal(count)
})

/** No write was sent again with an old version, and none took effect twice. */
Then(
  'each write carried the version that was read before it, and only the last one landed',
  function (this: PoolwrightWorld) {
    const exchanges = this.wire(['get', ...WRITES])
    const writes = exchanges.filter(({ verb }) => verb !== 'get')
    const read = writes.map((write) => lastRead(exchanges, write)?.versionAnswered)
    expect(
      writes.map(({ versionSent }) => versionSent),
      'versions that the writes carried',
    ).to.deep.equal(read)
    expect(new Set(read).size, 'different versions read').to.equal(writes.length)
    expect(writes.map(landed), 'which writes landed').to.deep.equal(
      writes.map((_, index) => index === writes.length - 1),
    )
  },
)

/** The outcome's resourceVersions are those of the write that landed. */
Then('it tells the versions before and after as they were on the wire', function (this: PoolwrightWorld) {
  const write = this.wire(WRITES).findLast(landed)
  const { before, after } = this.outcomes.last().outcome as EntryOutcome
  const onTheWire = { before: write?.versionSent, after: write?.versionAnswered }
  expect({ before, after }, 'versions in its own words').to.deep.equal(onTheWire)
})

/** The comments that another writer left in the entry have all survived. */
Then(
  'all {int} changes to {address} are there',
  async function (this: PoolwrightWorld, count: number, address: string) {
    const text = (await this.poolConfigMap.entries())[address] ?? ''
    expect(text.match(/# changed/g)?.length ?? 0, 'changes by the other writer').to.equal(count)
  },
)

/** So many writes of the last operation were accepted. */
Then('{int} write landed', function (this: PoolwrightWorld, count: number) {
  expect(this.wire(WRITES).filter(landed).length, 'writes that landed').to.equal(count)
})

/** Four delays within these limits, not all the same, and the wire shows that they were waited for. */
Then(
  'its delays were drawn at random from 0 to {int}, {int}, {int} and {int} ms',
  function (this: PoolwrightWorld, first: number, second: number, third: number, fourth: number) {
    const limits = [first, second, third, fourth]
    const { delays } = this.outcomes.last().outcome
    expect(delays.length, 'delays').to.equal(limits.length)
    delays.forEach((delay, index) => {
      expect(delay, `delay before attempt ${index + 2}`).to.be.within(0, limits[index] ?? 0)
    })
    expect(new Set(delays).size, `different delays among ${delays.join(', ')}`).to.be.greaterThan(1)
    expect(delays, 'delays that nobody drew').not.to.deep.equal(limits)
    const writes = this.wire(WRITES)
    delays.forEach((delay, index) => {
      expect(pause(writes, index + 1), `ms between writes ${index + 1} and ${index + 2}`).to.be.at.least(
        delay - 2,
      )
    })
  },
)

/** Ten delays or more, each within its window, the longest beyond the first window. */
Then(
  'its delays were drawn from windows that doubled each time, from {int} ms on',
  function (this: PoolwrightWorld, first: number) {
    const { delays } = this.outcomes.last().outcome
    const shown = `delays ${delays.join(', ')}`
    // From windows that never grew not one could be longer; from windows that double, ten in a row within the first
    // window are less likely than 1 in 10^11.
    expect(delays.length, shown).to.be.at.least(10)
    expect(Math.max(...delays), `the longest of the ${shown}`).to.be.greaterThan(first)
    delays.forEach((delay, index) => {
      expect(delay, `delay before attempt ${index + 2}`).to.be.within(0, first * 2 ** index)
    })
  },
)

/** By the proxy's clock. */
Then(
  'the second write came at least {int} second(s) after the first',
  function (this: PoolwrightWorld, seconds: number) {
    // The client measures its pause from when the answer arrived, a little after the journal does.
    expect(pause(this.wire(WRITES), 1), 'ms between the writes').to.be.at.least(seconds * 1_000 - 2)
  },
)

function lastRead(exchanges: readonly Exchange[], write: Exchange): Exchange | undefined {
  return exchanges.slice(0, exchanges.indexOf(write)).findLast(({ verb }) => verb === 'get')
}

function landed({ code = 0 }: Exchange): boolean {
  return code >= 200 && code < 300
}

/** Milliseconds from the end of one exchange to the beginning of the next. */
function pause(writes: readonly Exchange[], index: number): number {
  return (writes[index]?.at ?? 0) - (writes[index - 1]?.until ?? 0)
}
