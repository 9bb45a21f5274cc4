import { parseArgs } from 'node:util'
import { KubeClient } from '../../../src/kube/client.ts'
import { inClusterConnection } from '../../../src/kube/in-cluster.ts'
import { listWatch } from '../../../src/kube/list-watch.ts'
import { collectionPath } from '../../../src/kube/paths.ts'
import { type ClusterNode, podNetworkOf } from './network.ts'
import { setUpNode } from './node-setup.ts'

/**
 * Gives one node of a kind cluster its pod network and keeps it right while nodes come, go and change their addresses:
 * `main.ts --node NAME --cluster-subnet CIDR --cni-folder FOLDER`, as a pod in the node's own network.
 */
const { values } = parseArgs({
  options: {
    node: { type: 'string', default: '' },
    'cluster-subnet': { type: 'string', default: '' },
    'cni-folder': { type: 'string', default: '' },
  },
})
const stop = new AbortController()
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort(new Error(name)))

// The Linux nodes alone: the Windows stand-in's Nodes have subnets, and nobody who takes packets for them.
const watched = {
  path: collectionPath('v1', 'nodes'),
  labelSelector: 'kubernetes.io/os=linux',
  signal: stop.signal,
  onTrouble: (error: unknown) => log('watch in trouble', { error: String(error) }),
}
const client = new KubeClient(await inClusterConnection())
const nodes = new Map<string, ClusterNode>()
let done = ''
for await (const item of listWatch<ClusterNode>(client, watched)) {
  if (item.type === 'LISTED') {
    nodes.clear()
    for (const node of item.objects) nodes.set(node.metadata?.name ?? '', node)
  } else if (item.type === 'DELETED') nodes.delete(item.object.metadata?.name ?? '')
  else if ('object' in item) nodes.set(item.object.metadata?.name ?? '', item.object)
  const network = podNetworkOf(values.node, [...nodes.values()])
  const wanted = network && JSON.stringify([network.own, [...network.routes]])
  // Nodes report every other second; only what matters here is acted on.
  if (!network || wanted === undefined || wanted === done) continue
  // A failure ends the process: the kubelet starts it again, and its log says why.
  await setUpNode(network, values['cluster-subnet'], values['cni-folder'])
  done = wanted
  log('pod network is set', { own: network.own, routes: Object.fromEntries(network.routes) })
}

function log(message: string, fields: object): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), message, ...fields })}\n`)
}
