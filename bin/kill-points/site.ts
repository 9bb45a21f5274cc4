import { readFile } from 'node:fs/promises'
import type { ClusterDescription, ClusterProvider, ClusterSettings } from '../../clusters/provider.ts'
import { NODE_ROLES, type NodeRole } from '../../src/contract/cluster-roles.ts'
import { UsageError } from '../../src/contract/errors.ts'
import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { TEST_POOL_LABEL } from '../../src/contract/names.ts'
import { agentFor } from '../../src/kube/agent.ts'
import { KubeClient } from '../../src/kube/client.ts'
import { type KubeConnection, loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import type { Upstream } from '../../support/interference/upstream.ts'
import { machineServices, whichCluster } from '../commands/cluster-settings.ts'
import { markAsAdmin, unmarkAsAdmin } from './admins-marks.ts'

export interface SiteRequest {
  readonly provider: ClusterProvider
  readonly name: string
  readonly settings: ClusterSettings
  /** As whose the cluster is in use, for as long as this process lives. */
  readonly runId: string
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

/** A cluster that stays for all runs, with an administrator's taint and label on both nodes that they change. */
export class Site {
  readonly description: ClusterDescription
  /** The words of a command line that say which cluster it is, where its name does not. */
  readonly which: readonly string[]
  /** Straight to the API. */
  readonly kube: KubeClient
  readonly upstream: Upstream
  readonly #close: () => Promise<void>

  private constructor(
    description: ClusterDescription,
    which: readonly string[],
    kube: KubeClient,
    upstream: Upstream,
    close: () => Promise<void>,
  ) {
    this.description = description
    this.which = which
    this.kube = kube
    this.upstream = upstream
    this.#close = close
  }

  /** Throws UsageError where two nodes aren't marked. */
  static async open({ provider, name, settings, runId, signal, say }: SiteRequest): Promise<Site> {
    // Where clusters are a run's own, this one is ours: it ends with this process, and stays for all runs.
    const found = await provider.up({
      name,
      signal,
      progress: say,
      lifetime: provider.ownedByRun ? 'command' : 'detached',
      runId,
      settings,
      ...machineServices(true, signal, say),
    })
    const connection = await loadKubeconfig(found.kubeconfig)
    const kube = new KubeClient(connection)
    const upstream = upstreamOf(connection)
    const leave = async (): Promise<void> => {
      kube.close()
      upstream.agent.destroy()
      await (provider.ownedByRun ? provider.down(name) : provider.release?.(name, runId))
    }
    try {
      const description = provider.ownedByRun ? { ...found, roles: await makeNodes(kube, signal) } : found
      const nodes = NODE_ROLES.map((role) => nodeOf(description, role))
      for (const node of nodes) await refuseCordoned(kube, node, signal)
      for (const node of nodes) await markAsAdmin(kube, node, signal)
      return new Site(description, whichCluster(settings), kube, upstream, async () => {
        try {
          // However it ends, and with a deadline of its own.
          const closing = AbortSignal.timeout(CLOSING_MS)
          for (const node of nodes) await unmarkAsAdmin(kube, node, closing)
        } finally {
          await leave()
        }
      })
    } catch (error) {
      await leave()
      throw error
    }
  }

  /** The name of the node that plays this role. */
  node(role: NodeRole): string {
    return nodeOf(this.description, role)
  }

  /** Takes the marks away, and the cluster down where it is ours. */
  close(): Promise<void> {
    return this.#close()
  }
}

const CLOSING_MS = 30_000

function nodeOf({ roles, rung }: ClusterDescription, role: NodeRole): string {
  const [name] = roles?.nodes[role] ?? []
  if (name !== undefined) return name
  throw new UsageError(
    `The ${rung} cluster has no ${role} node: two nodes labelled ${TEST_POOL_LABEL} are needed`,
  )
}

/** Scenarios need it open, and we cordon it ourselves as somebody else would. */
async function refuseCordoned(kube: KubeClient, node: string, signal: AbortSignal): Promise<void> {
  const { spec } = await kube.get<KubernetesObject>(`/api/v1/nodes/${node}`, signal)
  if ((spec as { unschedulable?: boolean } | undefined)?.unschedulable)
    throw new UsageError(`Node ${node} is cordoned: only nodes that are open are tried`)
}

/** On a control plane that has none: nothing runs on them. */
async function makeNodes(
  kube: KubeClient,
  signal: AbortSignal,
): Promise<NonNullable<ClusterDescription['roles']>> {
  const nodes = { data: ['data-worker'], management: ['management-worker'] }
  for (const name of Object.values(nodes).flat()) {
    const metadata = { name, labels: { [TEST_POOL_LABEL]: '' } }
    await kube.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata }, signal)
  }
  return { nodes, storage: {}, addressPools: {} }
}

function upstreamOf(connection: KubeConnection): Upstream {
  const { server, token, tokenFile } = connection
  return {
    server,
    agent: agentFor(connection),
    headers: async () => {
      const bearer = token ?? (tokenFile && (await readFile(tokenFile, 'utf8')).trim())
      return bearer ? { authorization: `Bearer ${bearer}` } : {}
    },
  }
}
