import { type DataTable, Given } from '@cucumber/cucumber'
import { WRITES } from '../support/interference/rule.ts'
import { changesWindowsHosts } from '../support/safety/changing-steps.ts'
import { INSTANCES, windowsClusterOf } from '../support/windows-cluster.ts'
import { type ClusterNode, DEPLOYMENTS, isOperator, isReadyAt, NODES } from '../support/windows-objects.ts'
import { othersOf } from '../support/windows-others.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Lists these hosts in windows-instances and waits until they are Ready Nodes. */
Given(
  "other people's hosts are configured:",
  changesWindowsHosts,
  async function (this: PoolwrightWorld, table: DataTable) {
    await othersOf(this).configure(
      Object.fromEntries(table.hashes().map(({ address = '', line = '' }) => [address, line])),
    )
  },
)

/** Deletes the operator's list of hosts. */
Given('windows-instances does not exist', changesWindowsHosts, async function (this: PoolwrightWorld) {
  await (await windowsClusterOf(this)).deleteInstances()
  othersOf(this).forget()
})

/** Adds this line to windows-instances, past the implementation. */
Given(
  'somebody else has listed {address} as {string}',
  changesWindowsHosts,
  async function (this: PoolwrightWorld, address: string, line: string) {
    await (await windowsClusterOf(this)).list({ [address]: line })
  },
)

/** Makes one with the provider's settings and no replicas. */
Given('there is a Windows MachineSet to copy', changesWindowsHosts, async function (this: PoolwrightWorld) {
  await (await windowsClusterOf(this)).createTemplate(`${this.scenario}-template`)
})

/** The operator's stand-in will never make a Node of it. */
Given(
  'the host {address} cannot be reached',
  changesWindowsHosts,
  async function (this: PoolwrightWorld, address: string) {
    await (await windowsClusterOf(this)).steer({ unreachable: address })
  },
)

/** The operator's stand-in makes a Node of it that stays unready. */
Given(
  'the host {address} never reports being Ready',
  changesWindowsHosts,
  async function (this: PoolwrightWorld, address: string) {
    await (await windowsClusterOf(this)).steer({ 'not-ready': address })
  },
)

/** The operator's stand-in will not take its Node away. */
Given(
  'the host {address} stays configured',
  changesWindowsHosts,
  async function (this: PoolwrightWorld, address: string) {
    await (await windowsClusterOf(this)).steer({ stuck: address })
  },
)

/** The Machine API's stand-in provides none. */
Given('no Machines can be had', changesWindowsHosts, async function (this: PoolwrightWorld) {
  await (await windowsClusterOf(this)).steer({ machines: 'fail' })
})

/** Takes the operator's Deployment away, or makes it unavailable, and waits for it. */
Given(
  /^the Windows operator is (absent|down)$/,
  changesWindowsHosts,
  async function (this: PoolwrightWorld, operator: 'absent' | 'down') {
    await (await windowsClusterOf(this)).steer({ operator })
    await this.waitFor({ path: DEPLOYMENTS, ...isOperator(operator) })
  },
)

/** Makes the host's Node unready and waits for it. */
Given(
  'the Node of {address} is no longer Ready',
  changesWindowsHosts,
  async function (this: PoolwrightWorld, address: string) {
    await (await windowsClusterOf(this)).steer({ 'not-ready': address })
    await this.waitFor<ClusterNode, true>({
      for: `the Node of ${address} not to be Ready`,
      path: NODES,
      until: (nodes) => isReadyAt(nodes, address) === false || undefined,
    })
  },
)

/** Provokes that many conflicts with something new in the list each time. */
Given(
  'another writer lists {address} just before each of the first {int} writes of windows-instances',
  changesWindowsHosts,
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
        run: () => cluster.list({ [address]: LATECOMER, [`${writes++}.latecomers.example.net`]: LATECOMER }),
      },
    })
  },
)

/** The list comes to be between the implementation's read and its create. */
Given(
  'another writer makes windows-instances with {address} just before it is made',
  changesWindowsHosts,
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
