import { expect } from 'chai'
import type { OutcomeOf } from './outcomes.ts'
import { windowsClusterOf } from './windows-cluster.ts'
import { hasAddress, isReadyAt, MACHINE_SETS } from './windows-objects.ts'
import type { PoolwrightWorld } from './world.ts'

/** Every host is the Node it is said to be, that Node has its address, and it is Ready. */
export async function expectReady(world: PoolwrightWorld, { hosts }: OutcomeOf<'setByoh'>): Promise<void> {
  const nodes = await (await windowsClusterOf(world)).nodes()
  expect(hosts, 'hosts').not.to.be.empty
  for (const { address, node: name } of hosts) {
    const node = nodes.find(({ metadata }) => metadata?.name === name)
    expect(node && hasAddress(node, address), `whether Node ${name} has the address ${address}`).to.equal(
      true,
    )
    expect(isReadyAt(nodes, address), `whether Node ${name} is Ready`).to.equal(true)
  }
}

/** Names of the MachineSets that were made for this test. */
export async function machineSetNames(
  world: PoolwrightWorld,
  testId: string,
): Promise<(string | undefined)[]> {
  const made = await (await windowsClusterOf(world)).madeFor(testId, MACHINE_SETS)
  return made.map(({ metadata }) => metadata?.name)
}
