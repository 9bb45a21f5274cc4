import { setTimeout as delay } from 'node:timers/promises'
import { KubeClient } from '../../src/kube/client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import type { ClusterDescription, UpRequest } from '../provider.ts'
import type { ClusterPlan } from './cluster-plan.ts'
import { readRecord } from './cluster-record.ts'
import { describeCluster } from './describe-cluster.ts'
import { ailments } from './health.ts'
import { hasVantage, startVantage } from './outside-vantage.ts'
import { lostRoutes } from './routes.ts'
import { NETWORK, type Site } from './site.ts'
import type { Tools } from './tools.ts'

/** An API server that is there answers at once. */
const ANSWER_LIMIT_MS = 5_000
/** What a drill did heals by itself within this; making a cluster anew takes twice as long. */
const HEALING_LIMIT_MS = 30_000
const LOOK_AGAIN_MS = 500

/**
 * The cluster that is there, where it was made from what one of these plans would make and is well, or heals by itself
 * before long. Undefined, with a line that says why, where it has to be made anew.
 */
export async function existingCluster(
  site: Site,
  plans: readonly ClusterPlan[],
  tools: Tools,
  { signal, progress }: UpRequest,
): Promise<ClusterDescription | undefined> {
  const client = new KubeClient(await loadKubeconfig(site.kubeconfig))
  try {
    const record = await readRecord(client, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]))
    if (!record) {
      progress('the cluster that is there was never finished and is made anew')
      return undefined
    }
    const made = plans.find(({ inputs }) => inputs === record.inputs)
    if (!made) {
      progress('the cluster that is there was made from something else and is made anew')
      return undefined
    }
    const problems = await untilHealed(client, tools, signal, progress)
    if (problems.length > 0) {
      progress(`the cluster that is there is not well and is made anew: ${problems.join('; ')}`)
      return undefined
    }
    if (made.images.workload !== undefined && !(await hasVantage(site.cluster, tools, signal)))
      await startVantage(site.cluster, made.images.workload, NETWORK, tools, signal)
    return await describeCluster(site, client, tools, signal)
  } catch (error) {
    signal.throwIfAborted()
    progress(`the cluster that is there does not answer and is made anew: ${(error as Error).message}`)
    return undefined
  } finally {
    client.close()
  }
}

/** Answers what is still wrong at the end; routes can't be watched, so all of it is looked at again. */
async function untilHealed(
  client: KubeClient,
  tools: Tools,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<readonly string[]> {
  const deadline = Date.now() + HEALING_LIMIT_MS
  for (let told = false; ; told = true) {
    const problems = [...(await ailments(client, signal)), ...(await lostRoutes(client, tools, signal))]
    if (problems.length === 0 || Date.now() > deadline) return problems
    if (!told) progress(`waiting for the cluster to be well again: ${problems.join('; ')}`)
    await delay(LOOK_AGAIN_MS, undefined, { signal })
  }
}
