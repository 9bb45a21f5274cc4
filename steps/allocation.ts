import { Given, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { addressesHeldBy } from '../support/entry-fields.ts'
import { type Action, WRITES } from '../support/interference/rule.ts'
import { demandSuccess } from '../support/outcomes.ts'
import type { AddressType } from '../support/plain-data.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Allocates, and fails unless it succeeds. */
Given(
  'test {test} has allocated a(n) {platform} node',
  async function (this: PoolwrightWorld, testId: string, platform: string) {
    demandSuccess(await this.perform('allocate', { testId, platform }), 'the allocation before')
  },
)

/** Asks for any node. */
When('test {test} allocates a node', async function (this: PoolwrightWorld, testId: string) {
  await this.perform('allocate', { testId })
})

/** Asks for a node of that platform. */
When(
  'test {test} allocates a(n) {platform} node',
  async function (this: PoolwrightWorld, testId: string, platform: string) {
    await this.perform('allocate', { testId, platform })
  },
)

/** Asks for a node of that platform whose address is of that type. */
When(
  'test {test} allocates a(n) {platform} node by {address-type}',
  async function (this: PoolwrightWorld, testId: string, platform: string, addressType: AddressType) {
    await this.perform('allocate', { testId, platform, addressType })
  },
)

/** Cancels an allocation whose write the API has accepted and whose answer is still on its way. */
Given(
  'test {test} gave up allocating a node after its write had landed',
  async function (this: PoolwrightWorld, testId: string) {
    await giveUp(this, testId, (reached) => ({ kind: 'keep-answer', landed: reached }))
    this.outcomes.markAsserted(this.outcomes.last('allocate').outcome)
  },
)

/** Cancels an allocation whose write has left and is answered by nobody. */
When(
  'test {test} allocates a node and gives up while the API holds its write',
  async function (this: PoolwrightWorld, testId: string) {
    await giveUp(this, testId, (reached, signal) => ({
      kind: 'before',
      run: () => {
        reached()
        return new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    }))
  },
)

/** Asks for a node with an empty test id. */
When('a node is allocated without a test id', async function (this: PoolwrightWorld) {
  await this.perform('allocate', { testId: '' })
})

/** One record of the structured log explains the decision, at the resourceVersion that the wire shows was read. */
Then(
  'its log tells of {test}, {address} and a reason, at the version that was read',
  function (this: PoolwrightWorld, testId: string, address: string) {
    const { log, before } = this.outcomes.last('allocate').outcome
    const decision = log.find(
      (record) => record.testId === testId && record.address === address && record.reason,
    )
    expect(decision, `a record of ${testId}, ${address} and a reason among ${JSON.stringify(log)}`).to.be.an(
      'object',
    )
    expect(decision?.decision, 'the decision').to.be.a('string').that.is.not.empty
    expect(decision?.resourceVersion, 'the version decided on').to.equal(before)
    expect(this.wire(['get', 'list'])[0]?.versionAnswered, 'the version read on the wire').to.equal(before)
  },
)

/** The last allocation answered with an address that the pool had before. */
Then('it is given one of them', function (this: PoolwrightWorld) {
  expect(Object.keys(this.before?.data ?? {}), 'addresses in the pool').to.include(given(this).address)
})

/** The last allocation answered with the only entry that this test holds. */
Then(
  'it is given the one node that the pool shows as in-use by {test}',
  async function (this: PoolwrightWorld, testId: string) {
    const held = addressesHeldBy(await this.poolConfigMap.entries(), testId)
    expect(held, `nodes that "${testId}" holds`).to.deep.equal([given(this).address])
  },
)

/** The last allocation answered with this address. */
Then('it is given {address}', function (this: PoolwrightWorld, address: string) {
  expect(given(this).address, 'the node given').to.equal(address)
})

/** The last allocation answered with this address and this user name. */
Then(
  'it is given {address} with user {string}',
  function (this: PoolwrightWorld, address: string, username: string) {
    expect(given(this), 'the node given').to.include({ address, username })
  },
)

/** Allocates on a connection of its own, and gives up once its first write has got as far as the action says. */
async function giveUp(
  world: PoolwrightWorld,
  testId: string,
  action: (reached: () => void, signal: AbortSignal) => Action,
): Promise<void> {
  const caller = new AbortController()
  const { promise, resolve } = Promise.withResolvers<void>()
  world.proxy.interfere({
    name: 'the caller gives up',
    verbs: WRITES,
    resource: 'configmaps',
    occurrences: { first: 1 },
    action: action(resolve, world.signal),
  })
  const performer = await world.connect(testId, AbortSignal.any([caller.signal, world.signal]))
  const outcome = world.perform('allocate', { testId }, performer)
  await Promise.race([promise, outcome])
  caller.abort(new Error('the caller gave up'))
  await outcome
}

/** The node of the last allocation, which must have succeeded. */
function given(world: PoolwrightWorld): object & { address: string } {
  const { node } = world.outcomes.lastSucceeded('allocate')
  expect(node, 'the node given').to.be.an('object')
  return node as object & { address: string }
}
