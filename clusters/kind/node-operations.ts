import { UsageError } from '../../src/contract/errors.ts'
import type { NodeOperation, NodeOperations } from '../provider.ts'
import { findEngine } from './engine/find-engine.ts'
import { thawFrozen } from './engine/thaw-frozen.ts'
import { hasFixedAddresses } from './fixed-network.ts'
import { ToolError } from './run-tool.ts'
import { siteOf } from './site.ts'
import { dockerOf, type Tool } from './tools.ts'

/** kind puts it on every node's container. */
export const CLUSTER_LABEL = 'io.x-k8s.kind.cluster'
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
    const { docker, run } = await open(on, 'killing the node')
    await killNode(docker, on.node, run)
  },
  async bringBack(on) {
    const { docker, run } = await open(on, 'bringing the node back')
    await docker(['start', on.node], run)
  },
}

/** Ends the node's container; where its network lets it, it keeps its address for when it is started again. */
export async function killNode(
  docker: Tool,
  node: string,
  run: Run,
  thaw: (containerId: string) => Promise<number> = thawFrozen,
): Promise<void> {
  const { running, id, address, network, pinned } = await inspect(docker, node, run)
  if (!running) return
  // Killed by hand it is not restarted by the engine, whatever kind asked for.
  await docker(['kill', node], run).catch(async (error: unknown) => {
    run.signal.throwIfAborted()
    // A sandbox that is frozen half started takes no signal, and the engine waits for the node's end in vain.
    if (!(error instanceof ToolError) || (await thaw(id)) === 0) throw error
    if ((await inspect(docker, node, run)).running) await docker(['kill', node], run)
  })
  if (pinned === address || !(await hasFixedAddresses(network, { docker }, run.signal))) return
  // The engine forgets the address of what is off, and gives it to the next that starts; the cluster knows the node by it.
  const keeping = { for: `keeping the address of ${node}`, signal: AbortSignal.timeout(KEEPING_LIMIT_MS) }
  await docker(['network', 'disconnect', network, node], keeping)
  await docker(['network', 'connect', '--ip', address, network, node], keeping)
}

interface Run {
  readonly for: string
  readonly signal: AbortSignal
}

/** Throws UsageError unless the node is one of this cluster's. */
async function open(on: NodeOperation, what: string): Promise<{ docker: Tool; run: Run }> {
  const { environment } = await findEngine(on.signal)
  const { docker } = dockerOf(environment)
  const run = { for: `${what} ${on.node}`, signal: on.signal }
  const { cluster } = siteOf(on.cluster)
  const filter = ['--filter', `label=${CLUSTER_LABEL}=${cluster}`]
  const said = await docker(['ps', '--all', '--format', '{{.Names}}', ...filter], run)
  const nodes = said.split('\n').filter(Boolean)
  if (!nodes.includes(on.node))
    throw new UsageError(
      `Cluster ${on.cluster} has no node ${on.node}; it has ${nodes.toSorted().join(', ') || 'none'}`,
    )
  return { docker, run }
}

async function inspect(docker: Tool, node: string, run: Run): Promise<NodeContainer> {
  const [found] = JSON.parse(await docker(['container', 'inspect', node], run)) as [Inspected]
  const [network = '', settings] = Object.entries(found.NetworkSettings.Networks)[0] ?? []
  return {
    id: found.Id,
    running: found.State.Running,
    network,
    address: settings?.IPAddress ?? '',
    pinned: settings?.IPAMConfig?.IPv4Address,
  }
}

interface NodeContainer {
  readonly id: string
  readonly running: boolean
  readonly network: string
  readonly address: string
  /** The address that it asks for whenever it starts. */
  readonly pinned: string | undefined
}

interface Inspected {
  readonly Id: string
  readonly State: { readonly Running: boolean }
  readonly NetworkSettings: { readonly Networks: Readonly<Record<string, InspectedNetwork>> }
}

interface InspectedNetwork {
  readonly IPAddress: string
  readonly IPAMConfig?: { readonly IPv4Address?: string } | null
}
