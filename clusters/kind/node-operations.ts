import { UsageError } from '../../src/contract/errors.ts'
import type { NodeOperation, NodeOperations } from '../provider.ts'
import { findEngine } from './engine/find-engine.ts'
import { thawFrozen } from './engine/thaw-frozen.ts'
import { listNodes, readNode, renewNodeRecord } from './nodes.ts'
import { ToolError } from './run-tool.ts'
import { siteOf } from './site.ts'
import { dockerOf, type Tool } from './tools.ts'

/** Keeping a killed node's address: once begun it is finished, whoever stops waiting. */
const KEEPING_LIMIT_MS = 60_000

/** Done to the container that a node is. */
export const nodeOperations: NodeOperations = {
  async stopKubelet(on) {
    const { docker, run } = await open(on, 'stopping the kubelet')
    await docker(['exec', on.node, 'systemctl', 'stop', 'kubelet'], run)
  },
  async startKubelet(on) {
    const { docker, run } = await open(on, 'starting the kubelet')
    await docker(['exec', on.node, 'systemctl', 'start', 'kubelet'], run)
  },
  async kill(on) {
    const { docker, home, run } = await open(on, 'killing the node')
    await killNode(docker, on.node, home, run)
  },
  async bringBack(on) {
    const { docker, home, run } = await open(on, 'bringing the node back')
    await bringNodeBack(docker, on.node, home, run)
  },
}

/** Where a node belongs in the engine. */
export interface NodeHome {
  readonly network: string
  /** The address by which the cluster knows it. */
  readonly address: string
}

/** Ends the node's container; it keeps its address for when it is started again, however often this was interrupted. */
export async function killNode(
  docker: Tool,
  node: string,
  home: NodeHome,
  run: Run,
  thaw: (containerId: string) => Promise<number> = thawFrozen,
): Promise<void> {
  const { running, id } = await readNode(docker, node, run)
  if (running) {
    // Killed by hand it is not restarted by the engine, whatever kind asked for.
    await docker(['kill', node], run).catch(async (error: unknown) => {
      run.signal.throwIfAborted()
      // A sandbox that is frozen half started takes no signal, and the engine waits for the node's end in vain.
      if (!(error instanceof ToolError) || (await thaw(id)) === 0) throw error
      if ((await readNode(docker, node, run)).running) await docker(['kill', node], run)
    })
  }
  await keepAddress(docker, node, home)
}

/** Starts the node's container where it is off, with the address it had. */
export async function bringNodeBack(docker: Tool, node: string, home: NodeHome, run: Run): Promise<void> {
  const { running, network } = await readNode(docker, node, run)
  // One that runs keeps its network, unless it has none at all.
  if (!running || !network) await keepAddress(docker, node, home)
  if (!running) await docker(['start', node], run)
}

/** The engine forgets the address of what is off, and gives it to the next that starts: the node has to ask for it. */
async function keepAddress(docker: Tool, node: string, { network, address }: NodeHome): Promise<void> {
  const keeping = { for: `keeping the address of ${node}`, signal: AbortSignal.timeout(KEEPING_LIMIT_MS) }
  const there = (await readNode(docker, node, keeping)).network
  if (there?.pinned === address) return
  if (there) await docker(['network', 'disconnect', there.name, node], keeping)
  await docker(['network', 'connect', '--ip', address, network, node], keeping)
}

interface Run {
  readonly for: string
  readonly signal: AbortSignal
}

interface OpenNode {
  readonly docker: Tool
  readonly home: NodeHome
  readonly run: Run
}

/** Throws UsageError unless the node is one of this cluster's. */
async function open(on: NodeOperation, what: string): Promise<OpenNode> {
  const { environment } = await findEngine(on.signal)
  const { docker } = dockerOf(environment)
  const site = siteOf(on.cluster)
  const nodes = await listNodes(site.cluster, { docker }, on.signal)
  const names = nodes.map(({ name }) => name).toSorted()
  if (!names.includes(on.node))
    throw new UsageError(`Cluster ${on.cluster} has no node ${on.node}; it has ${names.join(', ') || 'none'}`)
  const address = (await renewNodeRecord(site, nodes))?.addresses[on.node]
  if (!address)
    throw new UsageError(`Nobody wrote down the address of ${on.node}: make the cluster anew with --recreate`)
  const run = { for: `${what} ${on.node}`, signal: on.signal }
  return { docker, home: { network: site.network, address }, run }
}
