import { Then } from '@cucumber/cucumber'
import { expect } from 'chai'
import { expectReady, machineSetNames } from '../support/byoh-hosts.ts'
import type { OutcomeOf, RequestOf } from '../support/outcomes.ts'
import { PROVIDER_SPEC, windowsClusterOf } from '../support/windows-cluster.ts'
import { MACHINE_SETS, MACHINES } from '../support/windows-objects.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** The MachineSet of the last setBYOH, as the cluster has it. */
Then(
  "the MachineSet has one replica with the provider's settings of the one to copy",
  async function (this: PoolwrightWorld) {
    const { testId } = this.outcomes.last('setByoh').request
    const [made] = await (await windowsClusterOf(this)).madeFor(testId, MACHINE_SETS)
    expect(made?.spec?.replicas, 'replicas').to.equal(1)
    expect(made?.spec?.template?.spec?.providerSpec, 'provider settings').to.deep.equal(PROVIDER_SPEC)
  },
)

/** The implementation sent no request to create one. */
Then('no MachineSet was made', async function (this: PoolwrightWorld) {
  const creations = this.proxy.journal.exchanges.filter(
    ({ resource, verb }) => resource === 'machinesets' && verb === 'create',
  )
  expect(creations, 'MachineSets created').to.deep.equal([])
})

/** The cluster has no MachineSet, no Machine and no Node of it. */
Then(
  'nothing is left of the MachineSet of test {test}',
  async function (this: PoolwrightWorld, testId: string) {
    const cluster = await windowsClusterOf(this)
    expect(await machineSetNames(this, testId), 'its MachineSets').to.deep.equal([])
    expect(await cluster.madeFor(testId, MACHINES), 'its Machines').to.deep.equal([])
    expect(await cluster.orphans(), 'Nodes whose Machine is gone').to.deep.equal([])
  },
)

/** The MachineSet that the test was given is there, and so is its Node. */
Then(
  'the MachineSet of test {test} still has its Ready Node',
  async function (this: PoolwrightWorld, testId: string) {
    const outcome = this.outcomes.all.findLast(
      ({ operation, request }) =>
        operation === 'setByoh' && (request as RequestOf<'setByoh'>).testId === testId,
    )?.outcome as OutcomeOf<'setByoh'>
    expect(await machineSetNames(this, testId), 'its MachineSets').to.deep.equal([outcome.machineSet])
    await expectReady(this, outcome)
  },
)
