import { UsageError } from '../../src/contract/errors.ts'
import type { NodeOperation, NodeOperations } from '../provider.ts'
import { findEngine } from './engine/find-engine.ts'
import { siteOf } from './site.ts'
import { dockerOf, type Tool } from './tools.ts'

/** kind puts it on every node's container. */
export const CLUSTER_LABEL = 'io.x-k8s.kind.cluster'
/** Where a node's address is kept while the node is off and the engine has forgotten it. */
const ADDRESS_FILE = '/kind/poolwright-address'

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
    const { running, address } = await inspect(docker, on, run)
    if (!running) return
    await docker(['exec', on.node, 'sh', '-c', `echo ${address} > ${ADDRESS_FILE}`], run)
    // Killed by hand it is not restarted by the engine, whatever kind asked for.
    await docker(['kill', on.node], run)
  },
  async bringBack(on) {
    const { docker, run } = await open(on, 'bringing the node back')
    const before = await inspect(docker, on, run)
    if (before.running) return
    await docker(['start', on.node], run)
    const wanted = (await docker(['exec', on.node, 'cat', ADDRESS_FILE], run)).trim()
    const { address, network } = await inspect(docker, on, run)
    if (wanted === '' || wanted === address) return
    // Another one took its place while it was off; the cluster knows it by the address it had.
    await docker(['stop', on.node], run)
    await docker(['network', 'disconnect', network, on.node], run)
    await docker(['network', 'connect', '--ip', wanted, network, on.node], run)
    await docker(['start', on.node], run)
  },
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

async function inspect(
  docker: Tool,
  { node }: NodeOperation,
  run: Run,
): Promise<{ running: boolean; address: string; network: string }> {
  const [found] = JSON.parse(await docker(['container', 'inspect', node], run)) as [Inspected]
  const [network = '', settings] = Object.entries(found.NetworkSettings.Networks)[0] ?? []
  return { running: found.State.Running, address: settings?.IPAddress ?? '', network }
}

interface Inspected {
  readonly State: { readonly Running: boolean }
  readonly NetworkSettings: { readonly Networks: Readonly<Record<string, { readonly IPAddress: string }>> }
}
