import type { KubeClient } from '../../src/kube/client.ts'
import { detectCapabilities } from '../detect-capabilities.ts'
import { capabilitiesOf, detectRoles } from '../detect-roles.ts'
import type { ClusterDescription, Limits } from '../provider.ts'
import { STANDS_IN_FOR } from '../stand-ins/stands-in-for.ts'
import { hasVantage } from './outside-vantage.ts'
import type { Site } from './site.ts'
import type { Tools } from './tools.ts'

/** Heartbeats and grace periods of cluster-config.yaml, and pods that really start and stop. */
export const LIMITS: Limits = { reaction: 30_000, step: 120_000 }

/** What a run needs to know of a cluster that is up; what it can do is looked up, not assumed, but for a vantage that was just seen. */
export async function describeCluster(
  { name, cluster, kubeconfig }: Site,
  client: KubeClient,
  tools: Pick<Tools, 'docker'>,
  signal: AbortSignal,
  vantageSeen?: boolean,
): Promise<ClusterDescription> {
  const [{ gitVersion }, fromApi, roles, vantage] = await Promise.all([
    client.get<{ gitVersion: string }>('/version', signal),
    detectCapabilities(client, signal),
    detectRoles(client, signal),
    vantageSeen ?? hasVantage(cluster, tools, signal),
  ])
  return {
    rung: 'kind',
    name,
    kubeconfig,
    version: gitVersion,
    capabilities: [
      ...fromApi,
      ...capabilitiesOf(roles),
      'node-operations',
      ...(vantage ? ['outside-vantage' as const] : []),
    ],
    roles,
    standIns: fromApi.includes('windows-stand-in') ? STANDS_IN_FOR : [],
    limits: LIMITS,
  }
}
