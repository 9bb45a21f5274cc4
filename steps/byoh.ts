import { Given, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { expectReady, machineSetNames } from '../support/byoh-hosts.ts'
import { crashAt } from '../support/crash-moments.ts'
import type { ImplementationProcess } from '../support/implementation-process.ts'
import { WRITES } from '../support/interference/rule.ts'
import type { OutcomeOf, RequestOf } from '../support/outcomes.ts'
import { demandSuccess } from '../support/outcomes.ts'
import { entryText } from '../support/pool-table.ts'
import { changesWindowsHosts } from '../support/safety/changing-steps.ts'
import { windowsClusterOf } from '../support/windows-cluster.ts'
import { isReadyAt } from '../support/windows-objects.ts'
import { timelineOf } from '../support/windows-timeline.ts'
import type { PoolwrightWorld } from '../support/world.ts'

type SetByohRequest = RequestOf<'setByoh'>
type ByohOutcome = OutcomeOf<'setByoh'>

/** Milliseconds: enough for a stand-in to do whatever it will do, where it was told not to do what is waited for. */
const LITTLE_PATIENCE_MS = 500

/** `test "login" … a (vsphere) BYOH host by ip (and dns)(, with little patience)`. */
const SET_UP = /a (?:([a-z]+) )?BYOH host by (ip and dns|ip|dns)/.source

/** Sets up hosts of its own, and fails unless it succeeds. */
Given(
  new RegExp(`^test "([^"]+)" has set up ${SET_UP}$`),
  changesWindowsHosts,
  async function (this: PoolwrightWorld, testId: string, platform: string | null, types: string) {
    const outcome = await setUp(this, { testId, platform, types })
    demandSuccess(outcome, 'setting up before')
    expect(outcome.hosts, 'hosts that were set up before').not.to.be.empty
  },
)

/** Asks for one host per address type; little patience is 500 ms to become Ready. */
When(
  new RegExp(`^test "([^"]+)" sets up ${SET_UP}(, with little patience)?$`),
  changesWindowsHosts,
  async function (
    this: PoolwrightWorld,
    testId: string,
    platform: string | null,
    types: string,
    impatient: string | null,
  ) {
    const patience = impatient ? { readyWithinMs: LITTLE_PATIENCE_MS } : {}
    await setUp(this, { testId, platform, types, ...patience })
    await timelineOf(this).attach()
  },
)

/** Sets up hosts in a process of its own, which is killed at that moment (`support/crash-moments.ts`). */
Given(
  new RegExp(`^test "([^"]+)" crashed while setting up ${SET_UP}, (.+)$`),
  changesWindowsHosts,
  async function (
    this: PoolwrightWorld,
    testId: string,
    platform: string | null,
    types: string,
    moment: string,
  ) {
    await crash(this, testId, moment, (process) => setUp(this, { testId, platform, types }, process))
  },
)

/** Cleans up in a process of its own, which is killed at that moment (`support/crash-moments.ts`). */
Given(
  /^test "([^"]+)" crashed while cleaning up, (.+)$/,
  changesWindowsHosts,
  async function (this: PoolwrightWorld, testId: string, moment: string) {
    await crash(this, testId, moment, (process) => cleanUp(this, { testId }, process))
  },
)

/** Cleans up, and fails unless it succeeds. */
Given(
  'test {test} has cleaned up',
  changesWindowsHosts,
  async function (this: PoolwrightWorld, testId: string) {
    demandSuccess(await cleanUp(this, { testId }), 'the clean-up before')
  },
)

/** A clean-up that ended as CleanUpIncomplete; the host can be deconfigured from now on. */
Given(
  'the host {address} stayed configured while test {test} cleaned up',
  changesWindowsHosts,
  async function (this: PoolwrightWorld, address: string, testId: string) {
    const cluster = await windowsClusterOf(this)
    await cluster.steer({ stuck: address })
    const outcome = await cleanUp(this, { testId, goneWithinMs: LITTLE_PATIENCE_MS })
    this.outcomes.markAsserted(outcome)
    expect(outcome.error?.code, 'the clean-up of a stuck host').to.equal('CleanUpIncomplete')
    await cluster.steer({ stuck: '' })
  },
)

/** Writes the entry as in-use since a second ago, past the implementation. */
Given(
  '{address} is held by test {test}',
  async function (this: PoolwrightWorld, address: string, testId: string) {
    await this.poolConfigMap.change((data) => {
      data[address] = entryText({ address, status: 'in-use', 'test-id': testId, age: '1 second' })
    })
  },
)

/** Deletes the pool's ConfigMap, past the implementation. */
Given('the pool is deleted', async function (this: PoolwrightWorld) {
  await this.poolConfigMap.delete()
})

/** Asks for whatever the test set up to be given back. */
When('test {test} cleans up', changesWindowsHosts, async function (this: PoolwrightWorld, testId: string) {
  await cleanUp(this, { testId })
  await timelineOf(this).attach()
})

/** The same, with the word that the test failed on the host. */
When(
  'test {test} cleans up after failing',
  changesWindowsHosts,
  async function (this: PoolwrightWorld, testId: string) {
    await cleanUp(this, { testId, failed: true })
    await timelineOf(this).attach()
  },
)

/** The same, with 500 ms in all for a host to be no longer configured. */
When(
  'test {test} cleans up, with little patience',
  changesWindowsHosts,
  async function (this: PoolwrightWorld, testId: string) {
    await cleanUp(this, { testId, goneWithinMs: LITTLE_PATIENCE_MS })
    await timelineOf(this).attach()
  },
)

/** The same, on a connection that knows nothing of what went before; little patience is 500 ms in all. */
When(
  /^test "([^"]+)" is cleaned up by somebody else(, with little patience)?$/,
  changesWindowsHosts,
  async function (this: PoolwrightWorld, testId: string, impatient: string | null) {
    const patience = impatient ? { goneWithinMs: LITTLE_PATIENCE_MS } : {}
    await cleanUp(this, { testId, ...patience }, await this.connect('somebody else', this.signal))
    await timelineOf(this).attach()
  },
)

/** The last setBYOH gave exactly these hosts of the pool, did not fall back, and each is a Ready Node. */
Then(
  /^it is set up from the pool on (\S+?)(?: and (\S+))?$/,
  async function (this: PoolwrightWorld, one: string, other: string | null) {
    const outcome = this.outcomes.lastSucceeded('setByoh')
    const addresses = outcome.hosts.map(({ address }) => address)
    expect(outcome.source, 'where it says the hosts come from').to.equal('pool')
    expect(outcome.fallbackReason, 'a reason to fall back').to.equal(undefined)
    expect(addresses, 'addresses of the hosts').to.have.members(other ? [one, other] : [one])
    await expectReady(this, outcome)
  },
)

/** The last setBYOH fell back because of this error of the pool, to one MachineSet whose hosts are Ready Nodes. */
Then(
  'it is set up from a MachineSet, because of {word}',
  async function (this: PoolwrightWorld, code: string) {
    const outcome = this.outcomes.lastSucceeded('setByoh')
    const { testId, addressTypes } = this.outcomes.last('setByoh').request
    expect(outcome.source, 'where it says the hosts come from').to.equal('machine-set')
    expect(outcome.fallbackReason?.code, `why: ${outcome.fallbackReason?.message}`).to.equal(code)
    expect(
      outcome.hosts.map(({ addressType }) => addressType),
      'address types',
    ).to.have.members([...addressTypes])
    expect(await machineSetNames(this, testId), 'MachineSets of this test').to.deep.equal([
      outcome.machineSet,
    ])
    await expectReady(this, outcome)
  },
)

/** The reason to fall back contains both texts. */
Then('the reason names {string} and {string}', function (this: PoolwrightWorld, one: string, other: string) {
  expect(this.outcomes.lastSucceeded('setByoh').fallbackReason?.message, 'the reason')
    .to.include(one)
    .and.to.include(other)
})

/** The cluster has a Node with this address, and it is Ready. */
Then('{address} is a Ready Node', async function (this: PoolwrightWorld, address: string) {
  const nodes = await (await windowsClusterOf(this)).nodes()
  expect(isReadyAt(nodes, address), `whether the Node at ${address} is Ready`).to.equal(true)
})

/** The last operation sent no write to any object. */
Then('nothing was written at all', function (this: PoolwrightWorld) {
  const { journalMark } = this.outcomes.last()
  const writes = this.proxy.journal.exchanges.slice(journalMark).filter(({ verb }) => WRITES.includes(verb))
  expect(
    writes.map(({ verb, path }) => `${verb} ${path}`),
    'writes on the wire',
  ).to.deep.equal([])
})

async function setUp(
  world: PoolwrightWorld,
  {
    testId,
    platform,
    types,
    readyWithinMs = world.limits.reaction,
  }: {
    testId: string
    platform: string | null
    types: string
    readyWithinMs?: number
  },
  process?: ImplementationProcess,
): Promise<ByohOutcome> {
  await windowsClusterOf(world)
  timelineOf(world)
  const addressTypes = types.split(' and ') as unknown as SetByohRequest['addressTypes']
  const request = { testId, addressTypes, readyWithinMs, ...(platform && { platform }) }
  return world.perform('setByoh', request, process)
}

async function cleanUp(
  world: PoolwrightWorld,
  request: Omit<RequestOf<'cleanUpByoh'>, 'goneWithinMs'> & { goneWithinMs?: number },
  performer?: Parameters<PoolwrightWorld['perform']>[2],
) {
  timelineOf(world)
  return world.perform('cleanUpByoh', { goneWithinMs: world.limits.reaction, ...request }, performer)
}

/** Has a process of its own do something, and kills it with SIGKILL at that moment; it must not have ended before. */
async function crash(
  world: PoolwrightWorld,
  testId: string,
  moment: string,
  work: (process: ImplementationProcess) => Promise<unknown>,
): Promise<void> {
  const process = await world.startProcess(`process of ${testId}`)
  const dead = crashAt(world, moment, process)
  const end = await Promise.race([
    work(process).then(
      (outcome) => ({ outcome }),
      () => undefined,
    ),
    dead.then(() => undefined),
  ])
  expect(end, `what it came to, although it should have crashed ${moment}`).to.equal(undefined)
  await dead
}
