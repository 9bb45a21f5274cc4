import { Given, Then, When } from '@cucumber/cucumber'
import { freeOn } from '../support/nodes/free-resources.ts'
import { nodesOf } from '../support/nodes/nodes.ts'
import type { NodeRole } from '../support/parameter-types.ts'
import { podsOf } from '../support/pods/pods.ts'
import { changesCluster } from '../support/safety/changing-steps.ts'
import { hostPortOf } from '../support/services/host-port.ts'
import { onOneOf } from '../support/workloads/workloads.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** Closed to new pods until the end of the scenario. */
When('{node} is cordoned', changesCluster, async function (this: PoolwrightWorld, role: NodeRole) {
  await nodesOf(this).cordon(role)
})

/** Open to new pods again. */
When('{node} is uncordoned', changesCluster, async function (this: PoolwrightWorld, role: NodeRole) {
  await this.changes.uncordon(nodesOf(this).name(role))
})

/** What runs on the node runs on, and nobody tells of it. Started again at the end of the scenario at the latest. */
When('the kubelet of {node} stops', changesCluster, async function (this: PoolwrightWorld, role: NodeRole) {
  await this.changes.stopKubelet(nodesOf(this).name(role))
})

/** Not waited for. */
When(
  'the kubelet of {node} starts again',
  changesCluster,
  async function (this: PoolwrightWorld, role: NodeRole) {
    await this.changes.startKubelet(nodesOf(this).name(role))
  },
)

/** Off, at once and with all that it ran. Brought back at the end of the scenario at the latest. */
When('{node} is killed', changesCluster, async function (this: PoolwrightWorld, role: NodeRole) {
  await nodesOf(this).kill(role)
})

/** On again; not waited for. */
When('{node} is brought back', changesCluster, async function (this: PoolwrightWorld, role: NodeRole) {
  await nodesOf(this).bringBack(role)
})

/** By the taint that says so, which is for a node that is really off: refused unless the scenario killed it. */
When(
  '{node} is declared out of service',
  changesCluster,
  async function (this: PoolwrightWorld, role: NodeRole) {
    await nodesOf(this).declareOutOfService(role)
  },
)

/** Waits until the cluster says so. */
Then('{node} becomes NotReady', async function (this: PoolwrightWorld, role: NodeRole) {
  await nodesOf(this).untilNotReady(role)
})

/** Waits until it is Ready, and nothing keeps pods off because it was not. */
Then('{node} becomes Ready again', async function (this: PoolwrightWorld, role: NodeRole) {
  await nodesOf(this).untilBack(role)
})

/** Made, free to run on either, and not waited for. */
When(
  '{pod} is created for {node} or {node}',
  async function (this: PoolwrightWorld, name: string, one: NodeRole, other: NodeRole) {
    const nodes = [one, other].map((role) => nodesOf(this).name(role))
    await podsOf(this).create(name, { does: ['stay:'], spec: onOneOf(nodes) })
  },
)

/** Asks for more than half of what no pod has asked for, of `cpu` or `memory`; ready when this step ends. */
Given(
  '{pod} takes most of the free {word} of {node}',
  async function (this: PoolwrightWorld, name: string, resource: string, role: NodeRole) {
    const free = await freeOn(this.kube, nodesOf(this).name(role), resource, this.signal)
    shares.set(this, { [resource]: share(free, resource) })
    await createAsking(this, name, role)
    await podsOf(this).untilReady(name)
  },
)

/** Asks for the very amount; made, and not waited for. */
When(
  '{pod} that asks for as much is created for {node}',
  async function (this: PoolwrightWorld, name: string, role: NodeRole) {
    await createAsking(this, name, role)
  },
)

/** One port, the same throughout the scenario and hardly another's; made, and not waited for. */
When(
  '{pod} that wants the host port is created for {node}',
  async function (this: PoolwrightWorld, name: string, role: NodeRole) {
    const hostPort = hostPortOf(this)
    const container = { ports: [{ containerPort: hostPort, hostPort }] }
    await podsOf(this).create(name, { does: ['stay:'], node: nodesOf(this).name(role), container })
  },
)

const MOST = 0.6
const shares = new WeakMap<PoolwrightWorld, Readonly<Record<string, string>>>()

/** Whole bytes, and thousandths of a core. */
function share(free: number, resource: string): string {
  return resource === 'cpu' ? `${Math.floor(free * MOST * 1_000)}m` : String(Math.floor(free * MOST))
}

function createAsking(world: PoolwrightWorld, name: string, role: NodeRole): Promise<void> {
  const requests = shares.get(world)
  return podsOf(world).create(name, {
    does: ['stay:'],
    node: nodesOf(world).name(role),
    container: { resources: { requests } },
  })
}
