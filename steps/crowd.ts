import { Given, Then, When } from '@cucumber/cucumber'
import { expect } from 'chai'
import { fieldsOf } from '../support/entry-fields.ts'
import { Barrier } from '../support/interference/barrier.ts'
import { WRITES } from '../support/interference/rule.ts'
import type { Performed } from '../support/outcomes.ts'
import type { Performer } from '../support/performer.ts'
import type { EntryOutcome } from '../support/plain-data.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** A client library takes seconds to load where several load it at once on a busy machine. */
const SLOW_START_MS = 30_000

/** Starts that many processes, each with a connection of its own. */
Given('{int} processes of the implementation', async function (this: PoolwrightWorld, count: number) {
  this.stepClock.allowMore(SLOW_START_MS)
  const names = Array.from({ length: count }, (_, index) => `process ${index + 1}`)
  await Promise.all(names.map((name) => this.startProcess(name)))
})

/** Holds every first write back until all processes are about to write, so that they truly contend. */
When(
  'each process allocates for {int} tests, half by either lock, all having read before any writes',
  async function (this: PoolwrightWorld, testsEach: number) {
    const barrier = new Barrier(this.processes.length)
    const withdraw = this.proxy.interfere({
      name: 'waits until every process is about to write',
      verbs: WRITES,
      resource: 'configmaps',
      occurrences: 'always',
      action: { kind: 'before', run: ({ client }) => barrier.arrive(client) },
    })
    void barrier.opened.then(withdraw)
    await Promise.all(
      this.processes.map(async (performer) => {
        await Promise.all(
          testIds(performer, testsEach).map((testId, index) =>
            this.perform(
              'allocate',
              { testId, strategy: index % 2 ? 'entry' : 'resource-version' },
              performer,
            ),
          ),
        )
        // Whoever has nothing left to write keeps nobody waiting.
        void barrier.arrive(performer.name)
      }),
    )
  },
)

/** No node was given twice, and each of the others was refused because there was none left. */
Then(
  '{int} of the {int} tests have a node of their own, and the others are refused with NoneAvailable',
  function (this: PoolwrightWorld, served: number, tests: number) {
    const refused = allocations(this).filter(({ outcome }) => outcome.error)
    for (const { outcome } of refused) this.outcomes.markAsserted(outcome)
    const addresses = givenAddresses(this)
    expect(addresses.length, 'tests that were served').to.equal(served)
    expect(new Set(addresses).size, 'different nodes given').to.equal(served)
    expect(
      refused.map(({ outcome }) => outcome.error?.code),
      'refusals',
    ).to.deep.equal(Array(tests - served).fill('NoneAvailable'))
  },
)

/** The holders in the ConfigMap are those that were told they have the node. */
Then('the pool shows each node with the test that was given it', async function (this: PoolwrightWorld) {
  const entries = await this.poolConfigMap.entries()
  const shown = Object.entries(entries)
    .map(([address, text]) => ({ address, testId: fieldsOf(text)['test-id'] }))
    .filter(({ testId }) => testId)
  const given = allocations(this)
    .filter(({ outcome }) => outcome.node)
    .map(({ request, outcome }) => ({ address: outcome.node?.address, testId: request.testId }))
  expect(shown, 'holders in the pool').to.have.deep.members(given)
})

/** The API refused at least that many writes, so there was contention. */
Then('at least {int} write met a conflict', function (this: PoolwrightWorld, count: number) {
  const refused = this.proxy.journal.exchanges.filter(
    ({ verb, code }) => WRITES.includes(verb) && (code ?? 0) >= 400,
  )
  expect(refused.length, 'writes that the API refused').to.be.at.least(count)
})

function testIds({ name }: Performer, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name} test ${index + 1}`)
}

function allocations(world: PoolwrightWorld): Performed<'allocate'>[] {
  return world.outcomes.all.filter(({ operation }) => operation === 'allocate') as Performed<'allocate'>[]
}

function givenAddresses(world: PoolwrightWorld): string[] {
  return allocations(world).flatMap(({ outcome }) => (outcome as EntryOutcome).node?.address ?? [])
}
