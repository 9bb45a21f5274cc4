import { type DataTable, Given, When } from '@cucumber/cucumber'
import { fieldsOf } from '../support/entry-fields.ts'
import { type Action, type Occurrences, WRITES } from '../support/interference/rule.ts'
import { lateWriteOf } from '../support/late-write.ts'
import { setEntry } from '../support/pool-config-map.ts'
import { entryText, instant, type PoolRow, poolData } from '../support/pool-table.ts'
import { INSTANCES } from '../support/windows-cluster.ts'
import type { PoolwrightWorld } from '../support/world.ts'

const FIRST: Occurrences = { first: 1 }

Given(
  'the node {address} passes to test {test} just before the first write',
  function (this: PoolwrightWorld, address: string, testId: string) {
    anotherWriter(this, FIRST, `hands ${address} to ${testId}`, (data) => take(data, address, testId))
  },
)

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

Given(
  'the node {address} of machine {word} passes to test {test} just before the first write',
  function (this: PoolwrightWorld, address: string, machine: string, testId: string) {
    anotherWriter(this, FIRST, `hands ${address} to ${testId}`, (data) =>
      take(data, address, testId, machine),
    )
  },
)

Given(
  '{address} passes to test {test}, and {address} is released, just before the first write',
  function (this: PoolwrightWorld, taken: string, testId: string, released: string) {
    anotherWriter(this, FIRST, `hands ${taken} to ${testId} and releases ${released}`, (data) => {
      take(data, taken, testId)
      data[released] = entryText({ address: released, status: 'available' })
    })
  },
)

Given(
  'test {test} renews its lease of {address} just before the first write',
  function (this: PoolwrightWorld, testId: string, address: string) {
    anotherWriter(this, FIRST, `renews ${address} for ${testId}`, (data) =>
      replaceIn(data, address, /last-updated: .*/, `last-updated: ${instant(new Date(), 0)}`),
    )
  },
)

Given(
  'another writer changes the username of {address} to {string} just before the first write',
  function (this: PoolwrightWorld, address: string, username: string) {
    anotherWriter(this, FIRST, `changes the username of ${address}`, (data) =>
      replaceIn(data, address, /username: .*/, `username: ${username}`),
    )
  },
)

Given(
  'another writer adds {address}, which test {test} takes, just before the first write',
  function (this: PoolwrightWorld, address: string, testId: string) {
    anotherWriter(this, FIRST, `adds ${address} for ${testId}`, (data) => take(data, address, testId))
  },
)

Given(
  'another writer removes {address} just before the first write',
  function (this: PoolwrightWorld, address: string) {
    anotherWriter(this, FIRST, `removes ${address}`, (data) => delete data[address])
  },
)

Given(
  'another writer replaces the pool by this one just before the first write:',
  function (this: PoolwrightWorld, table: DataTable) {
    before(this, FIRST, 'another writer replaces the ConfigMap', async () => {
      await this.poolConfigMap.delete()
      await this.poolConfigMap.create(poolData(table.hashes() as PoolRow[]))
    })
  },
)

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

Given('another writer deletes the pool just before the first write', function (this: PoolwrightWorld) {
  before(this, FIRST, 'another writer deletes the ConfigMap', () => this.poolConfigMap.delete())
})

Given(
  /^another writer changes (\S+) just before each of the (?:first|next) (\d+) writes$/,
  function (this: PoolwrightWorld, address: string, count: string) {
    anotherWriter(this, { first: Number(count) }, `changes ${address}`, (data) => leaveMark(data, address))
  },
)

Given(
  'another writer changes {address} just before each write',
  function (this: PoolwrightWorld, address: string) {
    anotherWriter(this, 'always', `changes ${address}`, (data) => leaveMark(data, address))
  },
)

Given(
  /^the answer to the (?:first|next) write is lost, although it took effect$/,
  function (this: PoolwrightWorld) {
    onWrite(this, FIRST, 'the answer is lost', { kind: 'drop-answer' })
  },
)

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

When('the write that was stuck arrives at last', async function (this: PoolwrightWorld) {
  await lateWriteOf(this).arrive()
})

Given('the connection of the first write breaks before it arrives', function (this: PoolwrightWorld) {
  onWrite(this, FIRST, 'the connection breaks', { kind: 'reset' })
})

Given('the API answers the first write with {int}', function (this: PoolwrightWorld, code: number) {
  onWrite(this, FIRST, `answered with ${code}`, { kind: 'answer', code })
})

Given(
  'the API answers the first write with {int} and asks for {int} second(s)',
  function (this: PoolwrightWorld, code: number, retryAfterSeconds: number) {
    onWrite(this, FIRST, `answered with ${code}`, { kind: 'answer', code, retryAfterSeconds })
  },
)

Given('the API answers every write with {int}', function (this: PoolwrightWorld, code: number) {
  onWrite(this, 'always', `answered with ${code}`, { kind: 'answer', code })
})

Given(
  'the API answers the {int} writes after the first {int} with {int}',
  function (this: PoolwrightWorld, count: number, after: number, code: number) {
    onWrite(this, { after, count }, `answered with ${code}`, { kind: 'answer', code })
  },
)

Given('the API answers every read with {int}', function (this: PoolwrightWorld, code: number) {
  onRead(this, 'always', `answered with ${code}`, { kind: 'answer', code })
})

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
