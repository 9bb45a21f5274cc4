import { collectionPath, objectPath } from '../src/kube/paths.ts'
import type { PoolwrightWorld } from './world.ts'

const NODES = collectionPath('v1', 'nodes')

/** Makes a Node with these addresses that reports itself Ready or not, gone again when the scenario is over. */
export async function createNode(
  world: PoolwrightWorld,
  addresses: readonly string[],
  ready: boolean,
): Promise<string> {
  const name = `${world.scenario}-${(addresses[0] ?? '').replaceAll('.', '-')}`
  await world.changes.create({ apiVersion: 'v1', kind: 'Node', metadata: { name } })
  const status = {
    addresses: addresses.map((address) => ({ type: addressKind(address), address })),
    conditions: [
      {
        type: 'Ready',
        status: ready ? 'True' : 'False',
        reason: ready ? 'KubeletReady' : 'KubeletNotReady',
        message: 'made by a scenario',
        lastHeartbeatTime: new Date().toISOString(),
        lastTransitionTime: new Date().toISOString(),
      },
    ],
  }
  await world.kube.patch(objectPath(NODES, name, 'status'), { status }, 'merge', world.signal)
  return name
}

function addressKind(address: string): string {
  return /^[0-9.]+$/.test(address) ? 'InternalIP' : 'InternalDNS'
}
