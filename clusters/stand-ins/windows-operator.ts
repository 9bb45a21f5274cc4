import type { ConfigMap, KubernetesObject } from '../../src/contract/kubernetes.ts'
import {
  BYOH_LABEL,
  INSTANCES_CONFIG_MAP,
  MACHINE_OS_LABEL,
  WINDOWS_STAND_IN_CONFIG_MAP,
  WMCO_DEPLOYMENT,
  WMCO_NAMESPACE,
} from '../../src/contract/names.ts'
import { isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { says } from './conditions.ts'
import { runController, type Seen } from './controller.ts'
import { eachApart } from './each-apart.ts'
import { ensure, ensureInstalled, isOf, standInLabels } from './ensure.ts'
import type { Log } from './log.ts'
import { MACHINES, type Machine } from './machine.ts'
import { OPERATOR_NAMESPACE } from './namespaces.ts'
import { DEPLOYMENTS, reconcileDeployment } from './operator-deployment.ts'
import { readSteering, type Steering } from './steering.ts'
import { readInstances } from './windows-instances.ts'
import {
  hostOf,
  type NodeStatus,
  nodeStatus,
  readyCondition,
  type WindowsHost,
  windowsNode,
} from './windows-node.ts'

const CONFIG_MAPS = collectionPath('v1', 'configmaps', WMCO_NAMESPACE)
const NODES = collectionPath('v1', 'nodes')

/** Well within the 12 s after which our kind cluster gives a Node up; everybody else waits longer. */
const HEARTBEAT_MS = 4_000

/**
 * Plays the Windows Machine Config Operator where there is none: every host listed in windows-instances and every
 * Windows Machine becomes a Ready Node; a host that is no longer listed is deconfigured, which removes its Node. Given
 * an image, its Deployment has a pod that really runs; without one there is nobody who runs pods.
 */
export async function startWindowsOperator(
  client: KubeClient,
  log: Log,
  signal: AbortSignal,
  image?: string,
): Promise<{ ready: Promise<void>; ended: Promise<void> }> {
  await ensureInstalled(client, collectionPath('v1', 'namespaces'), OPERATOR_NAMESPACE, signal)
  const { gitVersion } = await client.get<{ gitVersion: string }>('/version', signal)
  const complain = onceEach(log)
  return runController({
    client,
    watches: {
      configMaps: { path: CONFIG_MAPS },
      deployments: { path: DEPLOYMENTS },
      nodes: { path: NODES, labelSelector: selector(standInLabels('windows-operator')) },
      machines: { path: MACHINES, labelSelector: `${MACHINE_OS_LABEL}=Windows` },
    },
    async reconcile(seen) {
      const steering = readSteering(
        named(seen.configMaps, WINDOWS_STAND_IN_CONFIG_MAP) as ConfigMap | undefined,
      )
      complain(steering.problems.map((problem) => `ConfigMap ${WINDOWS_STAND_IN_CONFIG_MAP}: ${problem}`))
      await reconcileDeployment(client, named(seen.deployments, WMCO_DEPLOYMENT), steering, image, signal)
      if (steering.operator !== 'up') return
      const hosts = [...listedHosts(seen, complain), ...machineHosts(seen)]
      const wanted = new Map(hosts.map((host) => [host.nodeName, host]))
      const gone = seen.nodes.filter((node) => !wanted.has(node.metadata?.name ?? ''))
      await eachApart([...wanted.values()], (host) =>
        configure(client, host, named(seen.nodes, host.nodeName), steering, gitVersion, log, signal),
      )
      await eachApart(gone, (node) => deconfigure(client, node, steering, log, signal))
    },
    resyncMs: HEARTBEAT_MS,
    log,
    signal,
  })
}

type SeenByOperator = Seen<'configMaps' | 'nodes' | 'machines'>

function listedHosts(seen: SeenByOperator, complain: (problems: string[]) => void): WindowsHost[] {
  const { instances, invalid } = readInstances(
    named(seen.configMaps, INSTANCES_CONFIG_MAP) as ConfigMap | undefined,
  )
  complain(
    invalid.map(
      ({ address, problem }) => `ConfigMap ${INSTANCES_CONFIG_MAP}: ${address} ignored: ${problem}`,
    ),
  )
  return instances.map(({ address }) => hostOf(address))
}

function machineHosts(seen: SeenByOperator): WindowsHost[] {
  return (seen.machines as readonly Machine[]).flatMap(({ metadata, spec, status }) => {
    const addresses = (status?.addresses ?? []).filter(({ type }) => type !== 'Hostname')
    if (metadata.deletionTimestamp || !spec.providerID || addresses.length === 0) return []
    const machine = { key: `${metadata.namespace}/${metadata.name}`, providerId: spec.providerID }
    return [{ nodeName: metadata.name, addresses, machine }]
  })
}

async function configure(
  client: KubeClient,
  host: WindowsHost,
  node: KubernetesObject | undefined,
  steering: Steering,
  kubeletVersion: string,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const listed = (addresses: ReadonlySet<string>): boolean =>
    host.addresses.some(({ address }) => addresses.has(address))
  if (!node && listed(steering.unreachable)) return
  if (!node) {
    log('info', 'configuring', { node: host.nodeName, addresses: host.addresses })
    await ensure(client, NODES, windowsNode(host), signal)
  }
  const earlier = node?.status as NodeStatus | undefined
  const ready = !listed(steering.unreachable) && !listed(steering.notReady)
  if (says(earlier?.conditions, readyCondition(ready)) && !heartbeatIsDue(earlier)) return
  const path = objectPath(NODES, host.nodeName, 'status')
  await client.patch(path, { status: nodeStatus(host, ready, node, kubeletVersion) }, 'merge', signal)
}

function heartbeatIsDue(earlier: NodeStatus | undefined): boolean {
  const beat = earlier?.conditions?.find(({ type }) => type === 'Ready')?.lastHeartbeatTime
  // A little early, so that a resync that comes a moment too soon doesn't skip a beat.
  return Date.now() - Date.parse(String(beat)) > HEARTBEAT_MS - 1_000
}

/** Cordons, then removes, in two writes as the operator does: until the Node is gone the host is still configured. */
async function deconfigure(
  client: KubeClient,
  node: KubernetesObject,
  steering: Steering,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  if (!isOf('windows-operator', node) || node.metadata?.labels?.[BYOH_LABEL] !== 'true') return
  const { addresses = [] } = (node.status ?? {}) as NodeStatus
  if (addresses.some(({ address }) => steering.stuck.has(address))) return
  const path = objectPath(NODES, node.metadata.name ?? '')
  log('info', 'deconfiguring', { node: node.metadata.name, addresses })
  try {
    await client.patch(path, { spec: { unschedulable: true } }, 'merge', signal)
    await client.delete(path, { preconditions: { uid: node.metadata.uid } }, signal)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

function named(objects: readonly KubernetesObject[], name: string): KubernetesObject | undefined {
  return objects.find((object) => object.metadata?.name === name)
}

function selector(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}

/** Loud, but once for each problem and for as long as it lasts: reconciling is frequent. */
function onceEach(log: Log): (problems: string[]) => void {
  const known = new Set<string>()
  return (problems) => {
    for (const problem of problems) {
      if (!known.has(problem)) log('error', problem)
      known.add(problem)
    }
  }
}
