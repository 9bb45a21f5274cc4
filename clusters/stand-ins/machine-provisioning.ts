import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { MACHINE_ANNOTATION } from '../../src/contract/names.ts'
import type { Machine } from './machine.ts'
import { now } from './time.ts'

type MachineStatus = NonNullable<Machine['status']>

/** What the cloud calls the instance of this Machine. */
export function providerId({ metadata }: Machine): string {
  return `stand-in:///${metadata.name}`
}

/** Where a Machine stands: refused by the cloud, given an address (then `taken`), or running as a Node. */
export function machineStatus(
  machine: Machine,
  taken: Set<string>,
  nodes: readonly KubernetesObject[],
  cloudFails: boolean,
): MachineStatus {
  const lastUpdated = now()
  // Failed is final for a Machine, as it is in the Machine API.
  if (machine.status?.phase === 'Failed') return machine.status
  const provisioned = machine.status?.addresses ?? []
  const address = provisioned.find(({ type }) => type === 'InternalIP')?.address ?? freeAddress(taken)
  if (provisioned.length === 0 && (cloudFails || !address)) {
    const errorMessage = cloudFails ? 'the stand-in was told to fail' : 'the stand-in has no address left'
    return { phase: 'Failed', errorReason: 'CreateError', errorMessage, lastUpdated }
  }
  const addresses = [
    { type: 'InternalIP', address: address ?? '' },
    { type: 'InternalDNS', address: `${machine.metadata.name}.machines.stand-in.invalid` },
    { type: 'Hostname', address: machine.metadata.name },
  ]
  const key = `${machine.metadata.namespace}/${machine.metadata.name}`
  const node = nodes.find((one) => one.metadata?.annotations?.[MACHINE_ANNOTATION] === key)
  if (!node) return { phase: 'Provisioned', addresses, lastUpdated }
  const nodeRef = { kind: 'Node', name: node.metadata?.name ?? '', uid: node.metadata?.uid ?? '' }
  return { phase: 'Running', addresses, nodeRef, lastUpdated }
}

/** All addresses that the cloud has given out. */
export function takenAddresses(machines: readonly Machine[]): Set<string> {
  return new Set(machines.flatMap(({ status }) => (status?.addresses ?? []).map(({ address }) => address)))
}

/** From the upper half of TEST-NET-3 (RFC 5737), which is nobody's; it is taken from now on. */
function freeAddress(taken: Set<string>): string | undefined {
  for (let host = 129; host < 255; host++) {
    const address = `203.0.113.${host}`
    if (!taken.has(address)) return taken.add(address) && address
  }
  return undefined
}
