import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { ClusterDescription } from '../../clusters/provider.ts'
import type { RunContext } from '../../support/run-context.ts'
import type { RunRequest } from './run-request.ts'

export interface RunIdentity {
  readonly runId: string
  readonly startedAt: Date
}

/** Names the run: sorts by time, is unique, and fits a Kubernetes label: `20260331-120000-1f2e3d`. */
export function identifyRun(startedAt = new Date()): RunIdentity {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  return { runId: `${time}-${randomBytes(3).toString('hex')}`, startedAt }
}

/** All that Cucumber and the reports are told; without a cluster the run ended before there was one. */
export function describeRun(
  { runId, startedAt }: RunIdentity,
  request: RunRequest,
  clusters: readonly ClusterDescription[],
): RunContext {
  const [cluster] = clusters
  return {
    runId,
    startedAt: startedAt.toISOString(),
    rung: request.provider.rung,
    cluster: cluster?.name ?? '',
    ...(request.settings?.context !== undefined && { kubeContext: request.settings.context }),
    version: cluster?.version ?? '(not started)',
    capabilities: cluster?.capabilities ?? [],
    ...(cluster?.roles && { roles: cluster.roles }),
    standIns: cluster?.standIns ?? [],
    limits: cluster?.limits ?? { reaction: 0, step: 0 },
    kubeconfigs: clusters.map(({ kubeconfig }) => kubeconfig),
    implementation: request.implementation,
    features: join(dirname(request.configuration), 'features'),
    reports: request.reports,
  }
}
