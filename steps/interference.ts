import { type DataTable, Given, When } from '@cucumber/cucumber'
import { fieldsOf } from '../support/entry-fields.ts'
import { type Action, type Occurrences, WRITES } from '../support/interference/rule.ts'
import { lateWriteOf } from '../support/late-write.ts'
import { setEntry } from '../support/pool-config-map.ts'
import { entryText, instant, type PoolRow, poolData } from '../support/pool-table.ts'
import { INSTANCES } from '../support/windows-cluster.ts'
import type { PoolwrightWorld } from '../support/world.ts'

const FIRST: Occurrences = { first: 1 }

/** Another writer hands the node to that test between the implementation's read and its write. */
Given(
  'the node {address} passes to test {test} just before the first write',
  function (this: PoolwrightWorld, address: string, testId: string) {
    anotherWriter(this, FIRST, `hands ${address} to ${testId}`, (data) => take(data, address, testId))
  },
)

/** Another writer hands the node to that test before its host is listed for the Windows operator. */
Given(
  'the node {address} passes to test {test} just before it is listed in windows-instances',
  function (this: PoolwrightWorld, address: string, testId: string) {
    const run = () => this.poolConfigMap.change((data) => take(data, address, testId))
    this.proxy.interfere({
      name: `another writer hands ${address} to ${testId}`,
      verbs: WRITES,
      resource: 'configmaps',
      object: INSTANCES,
      occurrences: FIRST,
      action: { kind: 'before', run },
    })
  },
)

/** The same for an entry that names its Machine, which the pool may know by another address too. */
Given(
  'the node {address} of machine {word} passes to test {test} just before the first write',
  function (this: PoolwrightWorld, address: string, machine: string, testId: string) {
    anotherWriter(this, FIRST, `hands ${address} to ${testId}`, (data) =>
      take(data, address, testId, machine),
    )
  },
)

/** Another writer takes one node and frees another, between read and write. */
Given(
  '{address} passes to test {test}, and {address} is released, just before the first write',
  function (this: PoolwrightWorld, taken: string, testId: string, released: string) {
    anotherWriter(this, FIRST, `hands ${taken} to ${testId} and releases ${released}`, (data) => {
      take(data, taken, testId)
      data[released] = entryText({ address: released, status: 'available' })
    })
  },
)

/** Another writer sets last-updated to now, between read and write. */
Given(
  'test {test} renews its lease of {address} just before the first write',
  function (this: PoolwrightWorld, testId: string, address: string) {
    anotherWriter(this, FIRST, `renews ${address} for ${testId}`, (data) =>
      replaceIn(data, address, /last-updated: .*/, `last-updated: ${instant(new Date(), 0)}`),
    )
  },
)

/** A change of the entry that the implementation did not read. */
Given(
  'another writer changes the username of {address} to {string} just before the first write',
  function (this: PoolwrightWorld, address: string, username: string) {
    anotherWriter(this, FIRST, `changes the username of ${address}`, (data) =>
      replaceIn(data, address, /username: .*/, `username: ${username}`),
    )
  },
)

/** An entry that the implementation did not read, in use already. */
Given(
  'another writer adds {address}, which test {test} takes, just before the first write',
  function (this: PoolwrightWorld, address: string, testId: string) {
    anotherWriter(this, FIRST, `adds ${address} for ${testId}`, (data) => take(data, address, testId))
  },
)

/** An entry that the implementation read and that is gone when it writes. */
Given(
  'another writer removes {address} just before the first write',
  function (this: PoolwrightWorld, address: string) {
    anotherWriter(this, FIRST, `removes ${address}`, (data) => delete data[address])
  },
)

/** The ConfigMap is deleted and made again with these entries: another uid. */
Given(
  'another writer replaces the pool by this one just before the first write:',
  function (this: PoolwrightWorld, table: DataTable) {
    before(this, FIRST, 'another writer replaces the ConfigMap', async () => {
      await this.poolConfigMap.delete()
      await this.poolConfigMap.create(poolData(table.hashes() as PoolRow[]))
    })
  },
)

/** The ConfigMap is deleted and made again with the same entries: only the uid tells. */
Given(
  'another writer replaces the pool by one that looks the same just before the first write',
  function (this: PoolwrightWorld) {
    before(this, FIRST, 'another writer replaces the ConfigMap', async () => {
      const data = await this.poolConfigMap.entries()
      await this.poolConfigMap.delete()
      await this.poolConfigMap.create(data)
    })
  },
)

/** The ConfigMap is gone when the implementation writes. */
Given('another writer deletes the pool just before the first write', function (this: PoolwrightWorld) {
  before(this, FIRST, 'another writer deletes the ConfigMap', () => this.poolConfigMap.delete())
})

/** Provokes that many conflicts by adding a comment to the entry each time. */
Given(
  /^another writer changes (\S+) just before each of the (?:first|next) (\d+) writes$/,
  function (this: PoolwrightWorld, address: string, count: string) {
    anotherWriter(this, { first: Number(count) }, `changes ${address}`, (data) => leaveMark(data, address))
  },
)

/** Provokes a conflict at every write, without end. */
Given(
  'another writer changes {address} just before each write',
  function (this: PoolwrightWorld, address: string) {
    anotherWriter(this, 'always', `changes ${address}`, (data) => leaveMark(data, address))
  },
)

/** The write reaches the API and takes effect; the connection breaks before the answer arrives. */
Given(
  /^the answer to the (?:first|next) write is lost, although it took effect$/,
  function (this: PoolwrightWorld) {
    onWrite(this, FIRST, 'the answer is lost', { kind: 'drop-answer' })
  },
)

/** The write to windows-instances is held back until it is told to arrive. */
Given('the write that lists a host gets stuck on its way', function (this: PoolwrightWorld) {
  this.proxy.interfere({
    name: 'the write gets stuck',
    verbs: WRITES,
    resource: 'configmaps',
    object: INSTANCES,
    occurrences: FIRST,
    action: lateWriteOf(this).action(async () => undefined),
  })
})

/** Lets go of the write that was held back. */
When('the write that was stuck arrives at last', async function (this: PoolwrightWorld) {
  await lateWriteOf(this).arrive()
})

/** Another writer hands the node to that test before the implementation looks at the pool again. */
Given(
  'the node {address} passes to test {test} just before the second read',
  function (this: PoolwrightWorld, address: string, testId: string) {
    beforeSecondRead(this, `hands ${address} to ${testId}`, (data) => take(data, address, testId))
  },
)

/** An entry that is there, new and available, when the implementation looks at the pool again. */
Given(
  'another writer adds {address} just before the second read',
  function (this: PoolwrightWorld, address: string) {
    beforeSecondRead(this, `adds ${address}`, (data) => {
      // Hours: with seconds it could be, to the letter, the entry that was there when the scenario began.
      data[address] = entryText({ address, status: 'available', age: '7 hours' })
    })
  },
)

/** The write never reaches the API. */
Given('the connection of the first write breaks before it arrives', function (this: PoolwrightWorld) {
  onWrite(this, FIRST, 'the connection breaks', { kind: 'reset' })
})

/** The write never takes effect; this status is the answer. */
Given('the API answers the first write with {int}', function (this: PoolwrightWorld, code: number) {
  onWrite(this, FIRST, `answered with ${code}`, { kind: 'answer', code })
})

/** The same, with Retry-After. */
Given(
  'the API answers the first write with {int} and asks for {int} second(s)',
  function (this: PoolwrightWorld, code: number, retryAfterSeconds: number) {
    onWrite(this, FIRST, `answered with ${code}`, { kind: 'answer', code, retryAfterSeconds })
  },
)

/** No write takes effect; this status is the answer to each. */
Given('the API answers every write with {int}', function (this: PoolwrightWorld, code: number) {
  onWrite(this, 'always', `answered with ${code}`, { kind: 'answer', code })
})

/** Lets the first writes through, then answers with this status. */
Given(
  'the API answers the {int} writes after the first {int} with {int}',
  function (this: PoolwrightWorld, count: number, after: number, code: number) {
    onWrite(this, { after, count }, `answered with ${code}`, { kind: 'answer', code })
  },
)

/** Gets, lists and watches of ConfigMaps are answered with this status. */
Given('the API answers every read with {int}', function (this: PoolwrightWorld, code: number) {
  onRead(this, 'always', `answered with ${code}`, { kind: 'answer', code })
})

/** The first gets, lists and watches of ConfigMaps are answered with this status. */
Given(
  'the API answers the first {int} reads with {int}',
  function (this: PoolwrightWorld, first: number, code: number) {
    onRead(this, { first }, `answered with ${code}`, { kind: 'answer', code })
  },
)

/** Another writer's change reaches the pool after the implementation decided, and before its write arrives. */
function anotherWriter(
  world: PoolwrightWorld,
  occurrences: Occurrences,
  what: string,
  change: (data: Record<string, string>) => unknown,
): void {
  before(world, occurrences, `another writer ${what}`, () =>
    world.poolConfigMap.change((data) => void change(data)),
  )
}

/** Another writer's change reaches the pool after a first attempt, and before the implementation looks again. */
function beforeSecondRead(
  world: PoolwrightWorld,
  what: string,
  change: (data: Record<string, string>) => void,
): void {
  onRead(world, { after: 1, count: 1 }, `another writer ${what}`, {
    kind: 'before',
    run: () => world.poolConfigMap.change(change),
  })
}

function before(
  world: PoolwrightWorld,
  occurrences: Occurrences,
  name: string,
  run: () => Promise<unknown>,
): void {
  onWrite(world, occurrences, name, { kind: 'before', run })
}

/** Interferes with the implementation's writes to the pool, and with nobody else's. */
function onWrite(world: PoolwrightWorld, occurrences: Occurrences, name: string, action: Action): void {
  const object = world.site.configMap
  world.proxy.interfere({ name, verbs: WRITES, resource: 'configmaps', object, occurrences, action })
}

/** Interferes with reads of any ConfigMap by the implementation. */
function onRead(world: PoolwrightWorld, occurrences: Occurrences, name: string, action: Action): void {
  world.proxy.interfere({
    name,
    verbs: ['get', 'list', 'watch'],
    resource: 'configmaps',
    occurrences,
    action,
  })
}

function take(data: Record<string, string>, address: string, testId: string, machine = ''): void {
  setEntry(
    data,
    address,
    entryText({
      address,
      status: 'in-use',
      'test-id': testId,
      age: '1 second',
      platform: platformOf(data, address),
      machine,
    }),
  )
}

function platformOf(data: Record<string, string>, address: string): string {
  return fieldsOf(data[address] ?? '').platform ?? ''
}

function replaceIn(data: Record<string, string>, address: string, pattern: RegExp, text: string): void {
  data[address] = (data[address] ?? '').replace(pattern, text)
}

/** A comment more in the entry each time, so that it shows how many of the changes survived. */
function leaveMark(data: Record<string, string>, address: string): void {
  data[address] = `${data[address] ?? ''}# changed\n`
}
