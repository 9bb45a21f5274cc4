import { Argument, Command } from 'commander'
import type { ClusterProvider, NodeOperations } from '../../clusters/provider.ts'
import { UsageError } from '../../src/contract/errors.ts'
import { listenForInterruption } from '../run/interruption.ts'
import { clusterOption } from './cluster-options.ts'

const OPERATIONS: Readonly<Record<string, keyof NodeOperations>> = {
  'stop-kubelet': 'stopKubelet',
  'start-kubelet': 'startKubelet',
  kill: 'kill',
  'bring-back': 'bringBack',
}

/** `poolwright cluster node`: what a drill does to a node, by hand. */
export function nodeCommand(): Command {
  return new Command('node')
    .description('stop a node\u2019s kubelet, kill the node, or bring it back')
    .addArgument(new Argument('<operation>').choices(Object.keys(OPERATIONS)))
    .argument('<node>', 'as kubectl names it')
    .addOption(clusterOption())
    .option('--name <name>', 'which cluster', 'default')
    .action(operate)
}

async function operate(
  operation: string,
  node: string,
  { cluster, name }: { readonly cluster: ClusterProvider; readonly name: string },
): Promise<void> {
  const what = OPERATIONS[operation]
  if (!cluster.nodes || !what)
    throw new UsageError(
      `The ${cluster.rung} rung can't ${operation} a node: its nodes are not ours to switch`,
    )
  using interruption = listenForInterruption()
  await cluster.nodes[what]({ cluster: name, node, signal: interruption.asked })
}
