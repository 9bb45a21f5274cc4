import { expect } from 'chai'
import { perWorld } from './per-world.ts'
import { windowsClusterOf } from './windows-cluster.ts'
import { type ClusterNode, hasAddress, isReadyAt, NODES } from './windows-objects.ts'
import type { PoolwrightWorld } from './world.ts'

/** Other people's hosts in this scenario; none until they are configured. */
export const othersOf = perWorld((world) => new OtherHosts(world))

/** Hosts that nobody's set-up or clean-up may touch: their lines, byte for byte, and the very Nodes they were. */
class OtherHosts {
  #lines: Readonly<Record<string, string>> = {}
  #nodeUids: readonly string[] = []
  readonly #world: PoolwrightWorld

  constructor(world: PoolwrightWorld) {
    this.#world = world
  }

  /** Lists them and waits until those that are hosts at all are Ready Nodes. */
  async configure(lines: Readonly<Record<string, string>>): Promise<void> {
    const hosts = Object.keys(lines).filter((address) => lines[address]?.startsWith('username='))
    await (await windowsClusterOf(this.#world)).list(lines)
    const nodes = await this.#world.waitFor<ClusterNode, readonly ClusterNode[]>({
      for: `Ready Nodes at ${hosts.join(', ')}`,
      path: NODES,
      until: (found) => hosts.every((address) => isReadyAt(found, address)) && found,
    })
    this.#lines = lines
    this.#nodeUids = hosts.map((address) => uidAt(nodes, address))
  }

  /** They are no longer part of this scenario. */
  forget(): void {
    this.#lines = {}
    this.#nodeUids = []
  }

  /** Fails unless windows-instances holds exactly these others, byte for byte, and the entries given. */
  async expectListedWith(own: Readonly<Record<string, string>>): Promise<void> {
    const instances = await (await windowsClusterOf(this.#world)).instances()
    expect(instances, 'windows-instances').to.deep.equal({ ...this.#lines, ...own })
    await this.expectUndisturbed()
  }

  /** A host that was deconfigured meanwhile and configured again would be another Node. */
  async expectUndisturbed(): Promise<void> {
    const nodes = await (await windowsClusterOf(this.#world)).nodes()
    const uids = nodes.map(({ metadata }) => metadata?.uid)
    expect(uids, 'Nodes, other people’s among them').to.include.members([...this.#nodeUids])
  }
}

function uidAt(nodes: readonly ClusterNode[], address: string): string {
  return nodes.find((node) => hasAddress(node, address))?.metadata?.uid ?? ''
}
