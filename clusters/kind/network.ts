import type { Tools } from './tools.ts'

/** Inclusive, as MetalLB writes it: `172.18.255.0-172.18.255.15`. */
export type AddressRange = string

/** Addresses for load balancers by role; features never see more than the role. */
export interface AddressPools {
  readonly game: AddressRange
  readonly management: AddressRange
  /** So small that a scenario can use it up. */
  readonly small: AddressRange
}

/** How many addresses each pool has. */
const SIZES = { game: 16, management: 16, small: 2 } as const

/** The IPv4 subnet of a network of the engine, `172.18.0.0/16`. Throws ToolError where there is no such network. */
export async function readSubnet(
  name: string,
  tools: Pick<Tools, 'docker'>,
  signal: AbortSignal,
): Promise<string> {
  const said = await tools.docker(['network', 'inspect', name], { for: `reading network ${name}`, signal })
  const [network] = JSON.parse(said) as [DockerNetwork]
  const subnet = network.IPAM.Config.map(({ Subnet }) => Subnet).find((each) => !each.includes(':'))
  if (subnet === undefined) throw new Error(`network ${name} has no IPv4 subnet`)
  return subnet
}

interface DockerNetwork {
  readonly IPAM: { readonly Config: readonly { readonly Subnet: string }[] }
}

/**
 * Carves the pools from the top of the subnet, below its broadcast address: an engine gives out addresses from the
 * bottom up. Throws where the subnet is too small to leave it any.
 */
export function carvePools(subnet: string): AddressPools {
  const { first, size } = parseSubnet(subnet)
  const wanted = Object.values(SIZES).reduce((sum, count) => sum + count, 0)
  if (size < 2 * wanted)
    throw new Error(`subnet ${subnet} has ${size} addresses, too few to take ${wanted} for load balancers`)
  let end = first + size - 1
  const take = (count: number): AddressRange => {
    end -= count
    return `${format(end)}-${format(end + count - 1)}`
  }
  return { game: take(SIZES.game), management: take(SIZES.management), small: take(SIZES.small) }
}

function parseSubnet(subnet: string): { first: number; size: number } {
  const [, address = '', bits = ''] = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(subnet) ?? []
  if (address === '') throw new Error(`"${subnet}" is not an IPv4 subnet`)
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const size = 2 ** (32 - Number(bits))
  return { first: value - (value % size), size }
}

function format(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
}
