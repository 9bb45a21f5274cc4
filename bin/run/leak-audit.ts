import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ClusterDescription } from '../../clusters/provider.ts'
import { RUN_LABEL } from '../../src/contract/names.ts'
import { KubeClient } from '../../src/kube/client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { type Audit, auditCluster } from '../../support/safety/leak-audit.ts'
import { auditProcesses } from './process-audit.ts'
import type { ScratchFolder } from './scratch-folder.ts'

/** What asking an engine for containers may take. */
const ENGINE_LIMIT_MS = 20_000

export interface LeakAudit {
  readonly run: string
  /** Path of the run's context. */
  readonly context: string
  readonly clusters: readonly ClusterDescription[]
  /** Whether the clusters are the run's own, and go with it. */
  readonly owned: boolean
  /** Takes down what was made for the run. */
  readonly down: () => Promise<void>
  readonly scratch: ScratchFolder
  readonly signal: AbortSignal
}

/** Looks everywhere for what a run left, once its scenarios are over, and takes down its own clusters in between. */
export async function auditLeaks(request: LeakAudit): Promise<Audit> {
  const { run, context, clusters, owned, down, scratch, signal } = request
  const inClusters = await Promise.all(clusters.map((cluster) => lookInto(cluster, run, signal)))
  await down()
  const [processes, files, folders, containers] = await Promise.all([
    auditProcesses(context),
    scratch.leftovers(),
    owned ? foldersOf(clusters) : [],
    clusters.some(({ rung }) => rung === 'kind') ? containersOf(run, signal) : [],
  ])
  return {
    leaks: [...inClusters.flatMap(({ leaks }) => leaks), ...processes, ...files, ...folders, ...containers],
    unseen: inClusters.flatMap(({ unseen }) => unseen),
  }
}

async function lookInto(cluster: ClusterDescription, run: string, signal: AbortSignal): Promise<Audit> {
  const kube = new KubeClient(await loadKubeconfig(cluster.kubeconfig))
  try {
    return await auditCluster({ kube, run, signal, goneWithinMs: cluster.limits.reaction })
  } catch (error) {
    signal.throwIfAborted()
    return { leaks: [], unseen: [`cluster ${cluster.name}: ${(error as Error).message}`] }
  } finally {
    kube.close()
  }
}

async function foldersOf(clusters: readonly ClusterDescription[]): Promise<readonly string[]> {
  const folders = clusters.map(({ kubeconfig }) => dirname(kubeconfig))
  const there = await Promise.all(
    folders.map((folder) =>
      access(folder).then(
        () => true,
        () => false,
      ),
    ),
  )
  return folders.filter((_, index) => there[index]).map((folder) => `folder ${folder}`)
}

async function containersOf(run: string, signal: AbortSignal): Promise<readonly string[]> {
  const [{ findEngine }, { dockerOf }] = await Promise.all([
    import('../../clusters/kind/engine/find-engine.ts'),
    import('../../clusters/kind/tools.ts'),
  ])
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ENGINE_LIMIT_MS)])
  const { docker } = dockerOf((await findEngine(limited)).environment)
  const words = ['ps', '--all', '--format', '{{.Names}}', '--filter', `label=${RUN_LABEL}=${run}`]
  const names = await docker(words, { for: 'looking for containers of the run', signal: limited })
  return names
    .split('\n')
    .filter(Boolean)
    .map((name) => `container ${name}`)
}
