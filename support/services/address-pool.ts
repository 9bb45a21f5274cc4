import type { AddressPoolRole } from '../../src/contract/cluster-roles.ts'
import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { listAll } from '../../src/kube/list.ts'
import { collectionPath } from '../../src/kube/paths.ts'
import type { PoolwrightWorld } from '../world.ts'
import { servicesOf } from './services.ts'

interface IpAddressPool extends KubernetesObject {
  spec?: { addresses?: string[] }
}

/** The ranges of the pool that plays this role, as an administrator wrote them. */
export async function readAddressPool(
  world: PoolwrightWorld,
  role: AddressPoolRole,
): Promise<readonly string[]> {
  const name = servicesOf(world).pool(role)
  const path = collectionPath('metallb.io/v1beta1', 'ipaddresspools')
  const { objects } = await listAll<IpAddressPool>(world.kube, { path, signal: world.signal })
  const ranges = objects.find(({ metadata }) => metadata?.name === name)?.spec?.addresses
  if (!ranges?.length) throw new Error(`the pool ${name} of addresses is not there, or empty`)
  return ranges
}

/** Whether an IPv4 address is in one of these ranges, each `first-last` or `network/bits`. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  const value = numberOf(address)
  return ranges.map(boundsOf).some(([first, last]) => first <= value && value <= last)
}

/** How many addresses these ranges have, if they have none in common. */
export function sizeOf(ranges: readonly string[]): number {
  return ranges.map(boundsOf).reduce((sum, [first, last]) => sum + last - first + 1, 0)
}

function boundsOf(range: string): readonly [number, number] {
  const [first = '', last] = range.split('-').map((part) => part.trim())
  if (last !== undefined) return [numberOf(first), numberOf(last)]
  const [network = '', bits = '32'] = first.split('/')
  const size = 2 ** (32 - Number(bits))
  const begin = numberOf(network) - (numberOf(network) % size)
  return [begin, begin + size - 1]
}

function numberOf(address: string): number {
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(address)) throw new Error(`"${address}" is not an IPv4 address`)
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}
