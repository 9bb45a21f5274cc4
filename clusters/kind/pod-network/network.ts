import type { KubernetesObject } from '../../../src/contract/kubernetes.ts'

/** The parts of a Node that its pods' network depends on. */
export interface ClusterNode extends KubernetesObject {
  spec?: { podCIDR?: string }
  status?: { addresses?: { type?: string; address?: string }[] }
}

/** What one node needs so that its pods can talk with all others. */
export interface PodNetwork {
  /** The node's own pods, `10.244.1.0/24`. */
  readonly own: string
  /** Where to send packets for the pods of the other nodes: subnet → address of the node. */
  readonly routes: ReadonlyMap<string, string>
}

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/
const SUBNET = /^\d+\.\d+\.\d+\.\d+\/\d+$/

/** Undefined until the node has been given a subnet. Nodes that have no subnet or no address yet come later. */
export function podNetworkOf(name: string, nodes: readonly ClusterNode[]): PodNetwork | undefined {
  const own = nodes.find(({ metadata }) => metadata?.name === name)?.spec?.podCIDR ?? ''
  if (!SUBNET.test(own)) return undefined
  const routes = new Map<string, string>()
  for (const { metadata, spec, status } of nodes) {
    const subnet = spec?.podCIDR ?? ''
    const address = status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? ''
    if (metadata?.name !== name && SUBNET.test(subnet) && IPV4.test(address)) routes.set(subnet, address)
  }
  return { own, routes }
}

/** How the container runtime is to connect a pod, in the form of the Container Network Interface. */
export function conflist(own: string): string {
  const content = {
    cniVersion: '0.4.0',
    name: 'poolwright',
    plugins: [
      {
        type: 'ptp',
        ipMasq: false,
        ipam: {
          type: 'host-local',
          dataDir: '/run/cni-ipam-state',
          routes: [{ dst: '0.0.0.0/0' }],
          ranges: [[{ subnet: own }]],
        },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  }
  return `${JSON.stringify(content, undefined, 2)}\n`
}
