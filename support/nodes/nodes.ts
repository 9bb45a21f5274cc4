import type { NodeRole } from '../../src/contract/cluster-roles.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { isReady, type Pod, showPod } from '../pods/pod.ts'
import { podsOf } from '../pods/pods.ts'
import type { PoolwrightWorld } from '../world.ts'
import { type ClusterNode, readiness, showNode } from './node.ts'
import { NodeTimeline } from './node-timeline.ts'

const NODES = collectionPath('v1', 'nodes')

/** What the API calls this client by, as it calls itself. */
const MANAGER = 'poolwright'

interface ManagedFields {
  readonly manager?: string
  readonly time?: string
  readonly fieldsV1?: { readonly 'f:spec'?: { readonly 'f:taints'?: object } }
}

const all = new WeakMap<PoolwrightWorld, Nodes>()

/** The nodes that the scenario may change. */
export function nodesOf(world: PoolwrightWorld): Nodes {
  const nodes = all.get(world) ?? new Nodes(world)
  all.set(world, nodes)
  return nodes
}

export class Nodes {
  readonly #world: PoolwrightWorld
  /** Names of those that the scenario has killed: really off, not only silent. */
  readonly #killed = new Set<string>()
  #taintedAt: number | undefined

  constructor(world: PoolwrightWorld) {
    this.#world = world
    new NodeTimeline(world)
  }

  /** The name of the node that plays this role. */
  name(role: NodeRole): string {
    return podsOf(this.#world).node(role)
  }

  get(role: NodeRole): Promise<ClusterNode> {
    return this.#world.kube.get<ClusterNode>(objectPath(NODES, this.name(role)), this.#world.signal)
  }

  /** Taints it with NoExecute. */
  async driveAway(role: NodeRole, key: string): Promise<void> {
    await this.#world.changes.taint(this.name(role), [{ key, effect: 'NoExecute' }])
    this.#taintedAt = taintsWrittenAt(await this.get(role))
  }

  /** When the last such taint was written, as the cluster says: milliseconds since 1970, in whole seconds. */
  get taintedAt(): number {
    if (this.#taintedAt === undefined) throw new Error('the scenario has driven nobody away')
    return this.#taintedAt
  }

  async kill(role: NodeRole): Promise<void> {
    const name = this.name(role)
    await this.#world.changes.kill(name)
    this.#killed.add(name)
  }

  async bringBack(role: NodeRole): Promise<void> {
    const name = this.name(role)
    this.#killed.delete(name)
    await this.#world.changes.bringBack(name)
  }

  /** Lets what ran there be taken for ended. Refused unless the scenario killed the node: what still runs would run twice. */
  async declareOutOfService(role: NodeRole): Promise<void> {
    const name = this.name(role)
    if (!this.#killed.has(name))
      throw new Error(
        `node ${name} was not killed by this scenario: what runs there would be taken for ended`,
      )
    const taint = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }
    await this.#world.changes.taint(name, [taint])
  }

  /** Waits until the cluster says so. */
  async untilNotReady(role: NodeRole): Promise<void> {
    await this.#until(role, 'NotReady', (node) => readiness(node) !== 'True')
  }

  /** Waits until it is Ready, nothing keeps pods off because it was not, and what each node has runs there again. */
  async untilBack(role: NodeRole): Promise<void> {
    const isFree = ({ spec }: ClusterNode): boolean =>
      !(spec?.taints ?? []).some(({ key }) => key.startsWith('node.kubernetes.io/'))
    await this.#until(role, 'Ready again', (node) => readiness(node) === 'True' && isFree(node))
    await this.#world.waitFor<Pod, true>({
      for: `the DaemonSets’ pods of node ${this.name(role)} to be ready`,
      path: collectionPath('v1', 'pods'),
      fieldSelector: `spec.nodeName=${this.name(role)}`,
      until: (pods) => pods.filter(isOfDaemonSet).every(isReady) || undefined,
      show: showPod,
    })
  }

  #until(role: NodeRole, what: string, predicate: (node: ClusterNode) => boolean): Promise<true> {
    const name = this.name(role)
    return this.#world.waitFor<ClusterNode, true>({
      for: `node ${name} to be ${what}`,
      path: NODES,
      fieldSelector: `metadata.name=${name}`,
      until: ([node]) => (node && predicate(node)) || undefined,
      show: showNode,
    })
  }
}

/** When this client last wrote the node's taints. */
function taintsWrittenAt({ metadata }: ClusterNode): number {
  const fields = (metadata?.managedFields ?? []) as readonly ManagedFields[]
  const ours = fields.filter(
    ({ manager, fieldsV1 }) => manager === MANAGER && fieldsV1?.['f:spec']?.['f:taints'] !== undefined,
  )
  return Math.max(...ours.map(({ time = '' }) => Date.parse(time)))
}

function isOfDaemonSet({ metadata }: Pod): boolean {
  const owners = (metadata?.ownerReferences ?? []) as readonly { readonly kind: string }[]
  return owners.some(({ kind }) => kind === 'DaemonSet')
}
