import { type DataTable, Given } from '@cucumber/cucumber'
import { WRITES } from '../support/interference/rule.ts'
import {
  type ClusterNode,
  DEPLOYMENTS,
  INSTANCES,
  isOperator,
  isReadyAt,
  NODES,
  windowsClusterOf,
} from '../support/windows-cluster.ts'
import { othersOf } from '../support/windows-others.ts'
import type { PoolwrightWorld } from '../support/world.ts'

Given("other people's hosts are configured:", async function (this: PoolwrightWorld, table: DataTable) {
  await othersOf(this).configure(
    Object.fromEntries(table.hashes().map(({ address = '', line = '' }) => [address, line])),
  )
})

Given('windows-instances does not exist', async function (this: PoolwrightWorld) {
  await (await windowsClusterOf(this)).deleteInstances()
  othersOf(this).forget()
})

Given(
  'somebody else has listed {address} as {string}',
  async function (this: PoolwrightWorld, address: string, line: string) {
    await (await windowsClusterOf(this)).list({ [address]: line })
  },
)

Given('there is a Windows MachineSet to copy', async function (this: PoolwrightWorld) {
  await (await windowsClusterOf(this)).createTemplate(`${this.scenario}-template`)
})

Given('the host {address} cannot be reached', async function (this: PoolwrightWorld, address: string) {
  await (await windowsClusterOf(this)).steer({ unreachable: address })
})

Given(
  'the host {address} never reports being Ready',
  async function (this: PoolwrightWorld, address: string) {
    await (await windowsClusterOf(this)).steer({ 'not-ready': address })
  },
)

Given('the host {address} stays configured', async function (this: PoolwrightWorld, address: string) {
  await (await windowsClusterOf(this)).steer({ stuck: address })
})

Given('no Machines can be had', async function (this: PoolwrightWorld) {
  await (await windowsClusterOf(this)).steer({ machines: 'fail' })
})

Given(
  /^the Windows operator is (absent|down)$/,
  async function (this: PoolwrightWorld, operator: 'absent' | 'down') {
    await (await windowsClusterOf(this)).steer({ operator })
    await this.waitFor({ path: DEPLOYMENTS, ...isOperator(operator) })
  },
)

Given('the Node of {address} is no longer Ready', async function (this: PoolwrightWorld, address: string) {
  await (await windowsClusterOf(this)).steer({ 'not-ready': address })
  await this.waitFor<ClusterNode, true>({
    for: `the Node of ${address} not to be Ready`,
    path: NODES,
    until: (nodes) => isReadyAt(nodes, address) === false || undefined,
  })
})

Given(
  'another writer lists {address} just before each of the first {int} writes of windows-instances',
  async function (this: PoolwrightWorld, address: string, count: number) {
    const cluster = await windowsClusterOf(this)
    let writes = 0
    this.proxy.interfere({
      name: `another writer lists ${address}`,
      verbs: WRITES,
      resource: 'configmaps',
      object: INSTANCES,
      occurrences: { first: count },
      // Each time something new, or the second write would change nothing and provoke no conflict.
      action: {
        kind: 'before',
        run: () => cluster.list({ [address]: LATECOMER, [`${writes++}.latecomers.example.com`]: LATECOMER }),
      },
    })
  },
)

Given(
  'another writer makes windows-instances with {address} just before it is made',
  async function (this: PoolwrightWorld, address: string) {
    const cluster = await windowsClusterOf(this)
    this.proxy.interfere({
      name: `another writer makes windows-instances with ${address}`,
      verbs: ['create'],
      resource: 'configmaps',
      occurrences: { first: 1 },
      action: { kind: 'before', run: () => cluster.list({ [address]: LATECOMER }) },
    })
  },
)

const LATECOMER = 'username=latecomer'
