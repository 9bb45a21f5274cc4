import { access } from 'node:fs/promises'
import { KubeClient } from '../../src/kube/client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { whileLocked } from '../embedded/name-lock.mjs'
import type { ClusterDescription, UpRequest } from '../provider.ts'
import { type Candidate, candidates } from './candidates.ts'
import type { ChosenImages } from './chosen-images.ts'
import { type ClusterPlan, planCluster } from './cluster-plan.ts'
import { readRecord } from './cluster-record.ts'
import { describeCluster } from './describe-cluster.ts'
import type { Engine } from './engine/engine.ts'
import { findEngine } from './engine/find-engine.ts'
import { startEngine } from './engine/start-engine.ts'
import { existingCluster } from './existing-cluster.ts'
import { newCluster } from './new-cluster.ts'
import { REMOVAL_LIMIT_MS, removeCluster } from './remove-cluster.ts'
import { type Site, siteOf } from './site.ts'
import { dockerOf, findTools } from './tools.ts'

const STATUS_LIMIT_MS = 20_000

/** Starts the cluster, or finds the one that is there and well. */
export async function up(request: UpRequest): Promise<ClusterDescription> {
  const site = siteOf(request.name)
  const waiting = (): void => request.progress('another process is at work on this cluster; waiting for it')
  return whileLocked(site.directory, request.signal, () => bringUp(site, request), waiting)
}

async function bringUp(site: Site, request: UpRequest): Promise<ClusterDescription> {
  const { signal, progress, settings = {}, installPrograms } = request
  const engine = await startEngine({
    signal,
    progress,
    systemPackages: async (programs) => installPrograms?.(programs) ?? programs,
  })
  const tools = dockerOf(engine.environment)
  const sources = candidates({ settings, engine, tools, signal, progress, installPrograms })
  const plan = (images: ChosenImages): Promise<ClusterPlan> =>
    planCluster({ settings, images, sharedFolder: site.sharedFolder, cgroupV1: engine.cgroupVersion === 1 })
  // Without kind, which a build may bring, nothing can be said of a cluster; it is made anew then.
  const present = await allTools(engine).catch(() => undefined)
  if (present && !settings.recreate && (await exists(site.kubeconfig))) {
    const expected = await Promise.all(sources.map((source) => source.expected()))
    const plans = await Promise.all(expected.filter((images) => images !== undefined).map(plan))
    const found = await existingCluster(site, plans, present, request)
    if (found) return found
  }
  const images = await obtain(sources, request)
  return newCluster(site, engine, await plan(images), await allTools(engine), request)
}

/** From the first source that gives any; why the others didn't is said on the way. */
async function obtain(sources: readonly Candidate[], { signal, progress }: UpRequest): Promise<ChosenImages> {
  for (const [index, source] of sources.entries()) {
    try {
      return await source.obtain()
    } catch (error) {
      signal.throwIfAborted()
      if (index === sources.length - 1) throw error
      progress(`no images are ${source.origin}: ${(error as Error).message.split('\n').at(-1)?.trim()}`)
    }
  }
  throw new Error('there is no source of images')
}

function allTools(engine: Engine) {
  return findTools({ engine: engine.environment })
}

/** Undefined where none was made to the end. */
export async function status(name: string): Promise<ClusterDescription | undefined> {
  const site = siteOf(name)
  if (!(await exists(site.kubeconfig))) return undefined
  const signal = AbortSignal.timeout(STATUS_LIMIT_MS)
  const engine = await findEngine(signal)
  const tools = await allTools(engine)
  const client = new KubeClient(await loadKubeconfig(site.kubeconfig))
  try {
    if (!(await readRecord(client, signal))) return undefined
    return await describeCluster(site, client, tools, signal)
  } finally {
    client.close()
  }
}

/** Ends it with all that belongs to it. */
export async function down(name: string): Promise<void> {
  const site = siteOf(name)
  const signal = AbortSignal.timeout(REMOVAL_LIMIT_MS * 2)
  await whileLocked(site.directory, signal, async () => {
    const engine = await findEngine(signal)
    await removeCluster(site, await allTools(engine), signal)
  })
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
