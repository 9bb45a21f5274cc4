import { Given, Then } from '@cucumber/cucumber'
import { expect } from 'chai'
import type { NodeRole } from '../support/parameter-types.ts'
import { podsOf } from '../support/pods/pods.ts'
import {
  type Target,
  untilAnsweredBy,
  untilUnanswered,
  type Vantage,
} from '../support/services/connections.ts'
import { hearAnswers, holdConnection } from '../support/services/held-connection.ts'
import { hostPortOf } from '../support/services/host-port.ts'
import { type Protocol, SERVER_PORT, SERVICE_PORT } from '../support/services/service.ts'
import { servicesOf } from '../support/services/services.ts'
import type { PoolwrightWorld } from '../support/world.ts'

/** How many answers show that a held connection lives. */
const SOME_ANSWERS = 3

/** By TCP, from a pod of its own; goes on beside what follows. */
Given(
  '{pod} holds a connection to {service}, answered by {string}',
  async function (this: PoolwrightWorld, name: string, service: string, server: string) {
    const { host, port } = await clusterAddress(this, service)
    await holdConnection(this, name, { host, port })
    await expectAnswers(this, name, 0, server)
  },
)

/** Twenty at a time from inside the cluster, until all of a time are answered so. */
Then(
  'connections to {service} are answered by {string} alone',
  async function (this: PoolwrightWorld, service: string, server: string) {
    await untilAnsweredBy(this, await clusterAddress(this, service), [server])
  },
)

/** Twenty at a time from inside the cluster, until both have answered. */
Then(
  'connections to {service} are answered by {string} and {string}',
  async function (this: PoolwrightWorld, service: string, one: string, other: string) {
    await untilAnsweredBy(this, await clusterAddress(this, service), [one, other])
  },
)

/** From now on, on the connection that it held before. */
Then(
  'the connection of {pod} goes on, answered by {string}',
  async function (this: PoolwrightWorld, name: string, server: string) {
    const { lines } = podsOf(this).heard(name)
    await expectAnswers(this, name, lines.length, server)
  },
)

/** Past every service, at its pod's own address. */
Then('{server} still answers at its own address', async function (this: PoolwrightWorld, name: string) {
  const { status } = await podsOf(this).get(name)
  const target = { from: 'inside', protocol: 'TCP', host: status?.podIP ?? '', port: SERVER_PORT } as const
  await untilAnsweredBy(this, target, [name])
})

/** By UDP: twenty packets from inside the cluster, each from a port of its own. */
Then(
  'packets to {service} are answered by {string} alone',
  async function (this: PoolwrightWorld, service: string, server: string) {
    await untilAnsweredBy(this, await clusterAddress(this, service, 'UDP'), [server])
  },
)

/** Dialled from inside the cluster at the address of each node. */
Then(
  'the node port of {service} is answered by {string} on every node',
  async function (this: PoolwrightWorld, service: string, server: string) {
    await expectNodePorts(this, service, 'TCP', server)
  },
)

/** By UDP, asked from inside the cluster at the address of each node. */
Then(
  'packets to the node port of {service} are answered by {string} on every node',
  async function (this: PoolwrightWorld, service: string, server: string) {
    await expectNodePorts(this, service, 'UDP', server)
  },
)

/** Dialled from inside the cluster. */
Then(
  'the host port is answered by {string} on {node}',
  async function (this: PoolwrightWorld, server: string, node: NodeRole) {
    await untilAnsweredBy(this, await hostPort(this, node), [server])
  },
)

/** Dialled from inside the cluster. */
Then('the host port is answered by nobody on {node}', async function (this: PoolwrightWorld, node: NodeRole) {
  await untilUnanswered(this, await hostPort(this, node))
})

/** What a client outside the cluster's network meets at the cluster IP. */
Then(
  'from outside, {service} is answered by nobody at its cluster address',
  async function (this: PoolwrightWorld, service: string) {
    await untilUnanswered(this, await clusterAddress(this, service, 'TCP', 'outside'))
  },
)

/** Waits for the address, and until it is announced. */
Then(
  'from outside, {service} is answered by {string} at the address that it was given',
  async function (this: PoolwrightWorld, service: string, server: string) {
    await untilAnsweredBy(this, await givenTarget(this, service, 'TCP'), [server])
  },
)

/** By UDP. Waits for the address, and until it is announced. */
Then(
  'from outside, packets to {service} are answered by {string} at the address that it was given',
  async function (this: PoolwrightWorld, service: string, server: string) {
    await untilAnsweredBy(this, await givenTarget(this, service, 'UDP'), [server])
  },
)

/** What a client outside the cluster's network meets. */
Then(
  'from outside, the node port of {service} is answered by {string} on {node}',
  async function (this: PoolwrightWorld, service: string, server: string, node: NodeRole) {
    await untilAnsweredBy(this, await nodePort(this, service, node), [server])
  },
)

/** What a client outside the cluster's network meets. */
Then(
  'from outside, the node port of {service} is answered by nobody on {node}',
  async function (this: PoolwrightWorld, service: string, node: NodeRole) {
    await untilUnanswered(this, await nodePort(this, service, node))
  },
)

async function expectAnswers(
  world: PoolwrightWorld,
  name: string,
  since: number,
  server: string,
): Promise<void> {
  const answers = await hearAnswers(world, name, since, SOME_ANSWERS)
  const servers = new Set(answers.map((answer) => answer.split(' ')[0]))
  expect([...servers], `who answered the connection of pod ${name}`).to.deep.equal([server])
}

async function clusterAddress(
  world: PoolwrightWorld,
  service: string,
  protocol: Protocol = 'TCP',
  from: Vantage = 'inside',
): Promise<Target> {
  const { spec } = await servicesOf(world).get(service)
  return { from, protocol, host: spec?.clusterIP ?? '', port: SERVICE_PORT }
}

async function givenTarget(world: PoolwrightWorld, service: string, protocol: Protocol): Promise<Target> {
  const host = await servicesOf(world).untilAddress(service)
  return { from: 'outside', protocol, host, port: SERVICE_PORT }
}

async function nodePort(world: PoolwrightWorld, service: string, node: NodeRole): Promise<Target> {
  const services = servicesOf(world)
  const [host, port] = await Promise.all([services.addressOf(node), services.nodePort(service, 'TCP')])
  return { from: 'outside', protocol: 'TCP', host, port }
}

async function hostPort(world: PoolwrightWorld, node: NodeRole): Promise<Target> {
  const host = await servicesOf(world).addressOf(node)
  return { from: 'inside', protocol: 'TCP', host, port: hostPortOf(world) }
}

async function expectNodePorts(
  world: PoolwrightWorld,
  service: string,
  protocol: Protocol,
  server: string,
): Promise<void> {
  const services = servicesOf(world)
  const [hosts, port] = await Promise.all([services.addressesOfNodes(), services.nodePort(service, protocol)])
  for (const host of hosts) await untilAnsweredBy(world, { from: 'inside', protocol, host, port }, [server])
}
