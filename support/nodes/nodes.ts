import type { NodeRole } from '../../src/contract/cluster-roles.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { perWorld } from '../per-world.ts'
import { podsOf } from '../pods/pods.ts'
import type { PoolwrightWorld } from '../world.ts'
import { type ClusterNode, readiness, showNode } from './node.ts'
import { NodeTimeline } from './node-timeline.ts'
import { untilSchedulerKnows } from './scheduler-knows.ts'

const NODES = collectionPath('v1', 'nodes')

/** What the API calls this client by, as it calls itself. */
const MANAGER = 'poolwright'

/** What an administrator says of a node that is off, so that what ran there is taken for ended. */
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service'

interface ManagedFields {
  readonly manager?: string
  readonly time?: string
  readonly fieldsV1?: { readonly 'f:spec'?: { readonly 'f:taints'?: object } }
}

/** The nodes that the scenario may change. */
export const nodesOf = perWorld((world) => new Nodes(world))

class Nodes {
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

  /** Closed to new pods; the scheduler knows. */
  async cordon(role: NodeRole): Promise<void> {
    const name = this.name(role)
    await this.#world.changes.cordon(name)
    await untilSchedulerKnows(this.#world, name)
  }

  /** A taint that is about new pods; the scheduler knows. */
  async taint(role: NodeRole, key: string, effect: 'NoSchedule' | 'PreferNoSchedule'): Promise<void> {
    const name = this.name(role)
    await this.#world.changes.taint(name, [{ key, effect }])
    await untilSchedulerKnows(this.#world, name)
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

  /** On again and, where it was declared out of service, in service again; when it is Ready is for the caller to see. */
  async bringBack(role: NodeRole): Promise<void> {
    const name = this.name(role)
    this.#killed.delete(name)
    await this.#world.changes.bringBack(name)
    await this.#world.changes.untaint(name, [OUT_OF_SERVICE])
  }

  /** Lets what ran there be taken for ended. Refused unless the scenario killed the node: what still runs would run twice. */
  async declareOutOfService(role: NodeRole): Promise<void> {
    const name = this.name(role)
    if (!this.#killed.has(name))
      throw new Error(
        `node ${name} was not killed by this scenario: what runs there would be taken for ended`,
      )
    const taint = { key: OUT_OF_SERVICE, value: 'nodeshutdown', effect: 'NoExecute' }
    await this.#world.changes.taint(name, [taint])
  }

  /** Waits until the cluster says so. */
  async untilNotReady(role: NodeRole): Promise<void> {
    await this.#until(role, 'NotReady', (node) => readiness(node) !== 'True')
  }

  /** Waits until it is Ready, and nothing keeps pods off because it was not. A machine that was off starts first. */
  async untilBack(role: NodeRole): Promise<void> {
    const isFree = ({ spec }: ClusterNode): boolean =>
      !(spec?.taints ?? []).some(({ key }) => key.startsWith('node.kubernetes.io/'))
    const isBack = (node: ClusterNode): boolean => readiness(node) === 'True' && isFree(node)
    await this.#until(role, 'Ready again', isBack, 2 * this.#world.limits.reaction)
  }

  #until(
    role: NodeRole,
    what: string,
    predicate: (node: ClusterNode) => boolean,
    limitMs = this.#world.limits.reaction,
  ): Promise<true> {
    const name = this.name(role)
    return this.#world.waitFor<ClusterNode, true>({
      for: `node ${name} to be ${what}`,
      path: NODES,
      fieldSelector: `metadata.name=${name}`,
      until: ([node]) => (node && predicate(node)) || undefined,
      show: showNode,
      limitMs,
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
