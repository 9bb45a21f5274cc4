import type { AddressPoolRole, NodeRole } from '../../src/contract/cluster-roles.ts'
import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { isAlreadyExists } from '../../src/kube/api-status-error.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { perWorld } from '../per-world.ts'
import { podsOf } from '../pods/pods.ts'
import type { PoolwrightWorld } from '../world.ts'
import { EndpointTimeline } from './endpoint-timeline.ts'
import {
  type Endpoint,
  type EndpointSlice,
  endpointsOf,
  givenAddress,
  type Protocol,
  SERVER_PORT,
  SERVICE_LABEL,
  SERVICE_PORT,
  type Service,
  showEndpoint,
  showService,
} from './service.ts'

/** By which a Service asks for an address of one pool. */
const POOL_ANNOTATION = 'metallb.io/address-pool'

/** The scenario's Services, in its own namespace. */
export const servicesOf = perWorld((world) => new Services(world))

class Services {
  /** Addresses that load balancers gave to Services, by Service; kept when the Service is gone. */
  readonly given = new Map<string, string>()
  readonly #world: PoolwrightWorld
  #timeline: EndpointTimeline | undefined

  constructor(world: PoolwrightWorld) {
    this.#world = world
  }

  get path(): string {
    return collectionPath('v1', 'services', this.#world.namespace)
  }

  /** Makes a Service for the servers that name it, by TCP and UDP; one that is there stays as it is, but for these fields. */
  async shape(
    name: string,
    fields: { readonly annotations?: object; readonly spec?: object } = {},
  ): Promise<void> {
    const { kube, labels, signal } = this.#world
    this.#timeline ??= new EndpointTimeline(this.#world)
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, labels, annotations: fields.annotations },
      spec: {
        selector: { [SERVICE_LABEL]: name },
        ports: (['TCP', 'UDP'] as const).map((protocol) => ({
          name: protocol.toLowerCase(),
          protocol,
          port: SERVICE_PORT,
          targetPort: SERVER_PORT,
        })),
        ...fields.spec,
      },
    }
    await kube.create(this.path, service, signal).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error
      return this.change(name, { metadata: { annotations: fields.annotations }, spec: fields.spec })
    })
  }

  async change(name: string, mergePatch: object): Promise<void> {
    await this.#world.kube.patch(objectPath(this.path, name), mergePatch, 'merge', this.#world.signal)
  }

  get(name: string): Promise<Service> {
    return this.#world.kube.get<Service>(objectPath(this.path, name), this.#world.signal)
  }

  async delete(name: string): Promise<void> {
    await this.#world.kube.delete(objectPath(this.path, name), undefined, this.#world.signal)
  }

  /** Asks for an address of a pool; doesn't wait for it. */
  async askForAddress(name: string, role: AddressPoolRole): Promise<void> {
    const annotations = { [POOL_ANNOTATION]: this.pool(role) }
    await this.shape(name, { annotations, spec: { type: 'LoadBalancer' } })
  }

  /** Watches until a load balancer has given it an address. */
  async untilAddress(name: string): Promise<string> {
    const address = await this.#world.waitFor<Service, string>({
      for: `service ${name} to be given an address`,
      path: this.path,
      fieldSelector: `metadata.name=${name}`,
      until: ([service]) => service && givenAddress(service),
      show: showService,
    })
    this.given.set(name, address)
    return address
  }

  /** Watches until the cluster tells so of the pods behind a Service, by their names. */
  untilEndpoints(
    name: string,
    what: string,
    predicate: (endpoints: ReadonlyMap<string, Endpoint>) => boolean,
  ): Promise<boolean> {
    return this.#world.waitFor<EndpointSlice, boolean>({
      for: `endpoints of service ${name} ${what}`,
      path: collectionPath('discovery.k8s.io/v1', 'endpointslices', this.#world.namespace),
      labelSelector: `kubernetes.io/service-name=${name}`,
      until: (slices) => predicate(endpointsOf(slices)),
      show: (slice) =>
        [...endpointsOf([slice])].map(([pod, endpoint]) => `${pod} ${showEndpoint(endpoint)}`).join(', ') ||
        `${slice.metadata?.name} has none`,
    })
  }

  /** The port that each node answers at. */
  async nodePort(name: string, protocol: Protocol): Promise<number> {
    const { spec } = await this.get(name)
    const port = spec?.ports?.find((one) => one.protocol === protocol)?.nodePort
    if (!port) throw new Error(`service ${name} has no node port for ${protocol}`)
    return port
  }

  /** The name of the pool that plays this role. */
  pool(role: AddressPoolRole): string {
    const name = podsOf(this.#world).roles.addressPools[role]
    if (name === undefined)
      throw new Error(
        `this cluster has no pool of ${role} addresses: the scenario needs @needs-load-balancer`,
      )
    return name
  }

  /** The address of the node that plays this role. */
  addressOf(role: NodeRole): Promise<string> {
    return this.#addressOfNode(podsOf(this.#world).node(role))
  }

  /** The addresses of all nodes that the cluster's administrator named to us, those of instruments too. */
  async addressesOfNodes(): Promise<readonly string[]> {
    const { nodes, instruments } = podsOf(this.#world).roles
    const names = new Set([...nodes.data, ...nodes.management, ...(instruments ? [instruments.node] : [])])
    return Promise.all([...names].map((name) => this.#addressOfNode(name)))
  }

  async #addressOfNode(name: string): Promise<string> {
    const path = objectPath(collectionPath('v1', 'nodes'), name)
    const node = await this.#world.kube.get<NodeWithAddresses>(path, this.#world.signal)
    const address = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address
    if (address === undefined) throw new Error(`node ${name} has no address`)
    return address
  }
}

interface NodeWithAddresses extends KubernetesObject {
  status?: { addresses?: { type?: string; address?: string }[] }
}
