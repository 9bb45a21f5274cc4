import { setTimeout as delay } from 'node:timers/promises'
import { KubeClient } from '../../src/kube/client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import type { ClusterDescription, UpRequest } from '../provider.ts'
import type { ClusterPlan } from './cluster-plan.ts'
import { otherImages, readRecord } from './cluster-record.ts'
import { describeCluster, LIMITS } from './describe-cluster.ts'
import { ailments } from './health.ts'
import { listNodes } from './nodes.ts'
import { hasVantage, startVantage } from './outside-vantage.ts'
import { lostRoutes } from './routes.ts'
import type { Site } from './site.ts'
import type { Tools } from './tools.ts'

/** For one look at all of it, on a very busy machine. */
const LOOK_LIMIT_MS = 15_000
/** What a drill did heals by itself within this; making a cluster anew takes twice as long. */
const HEALING_LIMIT_MS = 30_000
const LOOK_AGAIN_MS = 500

export interface ExistingRequest extends Pick<UpRequest, 'signal' | 'progress' | 'restore'> {
  readonly site: Site
  /** Any of these will do. */
  readonly plans: readonly ClusterPlan[]
  readonly tools: Pick<Tools, 'docker'>
  /** Milliseconds. Default: half a minute. */
  readonly healingLimitMs?: number
}

/**
 * The cluster that is there, where it was made from what one of these plans would make and is well, or heals by itself
 * before long. Undefined, with a line that says why, where it has to be made anew.
 */
export async function existingCluster(request: ExistingRequest): Promise<ClusterDescription | undefined> {
  const { site, tools, signal, progress } = request
  const connection = await loadKubeconfig(site.kubeconfig).catch((error: Error) => error)
  if (connection instanceof Error) return madeAnew(request, `can't be reached (${connection.message})`)
  const client = new KubeClient(connection)
  try {
    const found = await untilHealed(request, client)
    if ('anew' in found) return madeAnew(request, found.anew)
    const { workload, node } = found.made.images
    const seen = await hasVantage(site.cluster, tools, signal)
    if (!seen && workload !== undefined) {
      progress('starting the outside vantage again')
      await startVantage({ ...site, workload, nodeImage: node }, tools, signal)
    }
    return await describeCluster(site, client, tools, signal, seen || workload !== undefined)
  } finally {
    client.close()
  }
}

function madeAnew({ progress }: ExistingRequest, why: string): undefined {
  progress(`the cluster that is there ${why} and is made anew`)
}

type Verdict = { readonly made: ClusterPlan } | { readonly anew: string }

/** Looks again until it is well, or was given time enough; routes can't be watched, so all of it is looked at again. */
async function untilHealed(request: ExistingRequest, client: KubeClient): Promise<Verdict> {
  const { signal, progress, healingLimitMs = HEALING_LIMIT_MS } = request
  let deadline = Date.now() + healingLimitMs
  let restored = false
  for (let told = false; ; told = true) {
    const seen = await look(request, client)
    if (!('problems' in seen)) return seen
    const problems = seen.problems.join('; ')
    if (seen.made && !restored) {
      restored = true
      await restore(request)
      deadline = Date.now() + healingLimitMs
      continue
    }
    if (Date.now() > deadline) return { anew: `is not well (${problems})` }
    if (!told) progress(`waiting for the cluster to be well again: ${problems}`)
    await delay(LOOK_AGAIN_MS, undefined, { signal })
  }
}

/** What can't be put back is seen again, and is then a reason to make all of it anew. */
async function restore({ site, signal, progress, restore }: ExistingRequest): Promise<void> {
  try {
    await restore?.({ rung: 'kind', name: site.name, kubeconfig: site.kubeconfig, limits: LIMITS })
  } catch (error) {
    signal.throwIfAborted()
    progress((error as Error).message)
  }
}

interface Unwell {
  readonly problems: readonly string[]
  /** Known where the API answered. */
  readonly made?: ClusterPlan
}

async function look(
  { site, plans, tools, signal }: ExistingRequest,
  client: KubeClient,
): Promise<Verdict | Unwell> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(LOOK_LIMIT_MS)])
  try {
    const nodes = await listNodes(site.cluster, tools, limited)
    if (nodes.length === 0) return { anew: 'has lost its nodes' }
    const off = nodes.filter(({ running }) => !running).map(({ name }) => `Node ${name} is off`)
    // Nothing answers without it.
    if (off.some((each) => each.includes('-control-plane '))) return { problems: off }
    const record = await readRecord(client, limited)
    if (!record) return { anew: 'was never finished' }
    const made = plans.find(({ inputs }) => inputs === record.inputs)
    if (!made) return { anew: 'was made from something else' }
    const others = otherImages(record, made.imageIds)
    if (others.length > 0) return { anew: `was made from another build of ${others.join(' and ')}` }
    const problems = [
      ...off,
      ...(await ailments(client, record.floor, limited)),
      ...(await lostRoutes(client, tools, limited)),
    ]
    return problems.length > 0 ? { problems, made } : { made }
  } catch (error) {
    signal.throwIfAborted()
    return { problems: [`it does not answer: ${(error as Error).message}`] }
  }
}
