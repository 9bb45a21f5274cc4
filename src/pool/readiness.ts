import type { ReadinessRow } from '../contract/implementation.ts'
import type { KubernetesObject } from '../contract/kubernetes.ts'
import { WMCO_DEPLOYMENT, WMCO_NAMESPACE } from '../contract/names.ts'
import type { PoolEntry } from '../contract/pool.ts'
import { ifFound } from '../kube/api-status-error.ts'
import { listAll } from '../kube/list.ts'
import { collectionPath, objectPath } from '../kube/paths.ts'
import type { ByohContext } from './byoh-context.ts'
import { hasAddress, isReady, type Node } from './byoh-node.ts'
import { openPool } from './pool.ts'

/**
 * Says whether the cluster under test is fit for the suite, one row for each thing that has to be. What can't be found
 * out is not ready, and its row says why; nothing that a cluster answers makes this throw.
 */
export async function readiness(context: ByohContext): Promise<{ ready: boolean; rows: ReadinessRow[] }> {
  const [server, operator, pool] = await Promise.all([
    rowOf('API server', () => apiServer(context)),
    rowOf('Windows Machine Config Operator', () => windowsOperator(context)),
    poolAndNodes(context),
  ])
  const rows = [server, operator, ...pool]
  for (const { subject, ready, detail } of rows)
    context.journal.record(ready ? 'info' : 'warn', {
      operation: 'readiness',
      decision: `${subject} is ${ready ? 'ready' : 'not ready'}`,
      reason: detail,
    })
  return { ready: rows.every((row) => row.ready), rows }
}

type Finding = Omit<ReadinessRow, 'subject'>

async function rowOf(subject: string, find: () => Promise<Finding>): Promise<ReadinessRow> {
  const found = await find().catch((error: Error): Finding => ({ ready: false, detail: error.message }))
  return { subject, ...found }
}

async function apiServer({ kube, signal }: ByohContext): Promise<Finding> {
  const { gitVersion } = await kube.get<{ gitVersion?: unknown }>('/version', signal)
  return { ready: true, detail: `reachable, ${gitVersion}` }
}

interface Deployment extends KubernetesObject {
  spec?: { replicas?: number }
  status?: {
    readyReplicas?: number
    conditions?: { type?: string; status?: string; message?: string; lastTransitionTime?: string }[]
  }
}

async function windowsOperator({ kube, signal }: ByohContext): Promise<Finding> {
  const path = objectPath(collectionPath('apps/v1', 'deployments', WMCO_NAMESPACE), WMCO_DEPLOYMENT)
  const name = `Deployment ${WMCO_NAMESPACE}/${WMCO_DEPLOYMENT}`
  const found = await ifFound(kube.get<Deployment>(path, signal))
  if (!found) return { ready: false, detail: `${name} does not exist` }
  const wanted = found.spec?.replicas ?? 1
  const running = found.status?.readyReplicas ?? 0
  const available = found.status?.conditions?.find(({ type }) => type === 'Available')
  const ready = wanted > 0 && running === wanted && available?.status === 'True'
  const why = ready ? '' : `: ${available?.message ?? 'it reports no Available condition'}`
  const since = available?.lastTransitionTime
  return { ready, detail: `${name} is ${running}/${wanted} ready${why}`, ...(since && { since }) }
}

async function poolAndNodes(context: ByohContext): Promise<ReadinessRow[]> {
  let entries: readonly PoolEntry[] = []
  const pool = await rowOf('Node pool', async () => {
    const listing = await openPool(context).list()
    entries = listing.entries
    return poolFinding(context, listing)
  })
  try {
    const { objects } = await listAll<Node>(context.kube, {
      path: collectionPath('v1', 'nodes'),
      signal: context.signal,
    })
    return [pool, ...entries.flatMap((entry) => nodeRow(entry, objects))]
  } catch (error) {
    return [pool, { subject: 'Nodes', ready: false, detail: (error as Error).message }]
  }
}

function poolFinding(
  { namespace, configMap }: ByohContext,
  {
    entries,
    malformed,
  }: {
    entries: readonly PoolEntry[]
    malformed: readonly { address: string; field: string; found: string }[]
  },
): Finding {
  const name = `ConfigMap ${namespace}/${configMap}`
  const total = entries.length + malformed.length
  if (total === 0) return { ready: false, detail: `${name} has no entries` }
  const count = `${name} has ${total} ${total === 1 ? 'entry' : 'entries'}, ${entries.length} of them valid`
  if (malformed.length === 0) return { ready: true, detail: count }
  const named = malformed
    .slice(0, SHOWN)
    .map(({ address, field, found }) => `${address} (${field}: ${found})`)
  if (malformed.length > SHOWN) named.push(`and ${malformed.length - SHOWN} more`)
  return { ready: false, detail: `${count}; malformed: ${named.join(', ')}` }
}

const SHOWN = 10

/** Only hosts that are configured have a Node, so an entry without one is no fault. */
function nodeRow({ address }: PoolEntry, nodes: readonly Node[]): ReadinessRow[] {
  const node = nodes.find((one) => hasAddress(one, address))
  if (!node) return []
  const condition = node.status?.conditions?.find(({ type }) => type === 'Ready')
  const why = condition ? `${condition.reason}: ${condition.message}` : 'it reports no Ready condition'
  const since = condition?.lastTransitionTime
  return [
    {
      subject: `Node ${node.metadata?.name}`,
      ready: isReady(node),
      ...(since && { since }),
      detail: `pool entry ${address}, ${why}`,
    },
  ]
}
