import { access } from 'node:fs/promises'
import { KubeClient } from '../../src/kube/client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import type { ClusterDescription, DownRequest, UpRequest } from '../provider.ts'
import { whileLocked } from '../this-machine/name-lock.mjs'
import { markRun, refuseWhileUsed, unmarkRun } from '../this-machine/run-marks.ts'
import { type Candidate, candidates } from './candidates.ts'
import type { ChosenImages } from './chosen-images.ts'
import { type ClusterPlan, planCluster } from './cluster-plan.ts'
import { readRecord } from './cluster-record.ts'
import { describeCluster } from './describe-cluster.ts'
import type { Engine } from './engine/engine.ts'
import { engineFolders } from './engine/engine-folders.ts'
import { lookForEngine, noEngineError } from './engine/find-engine.ts'
import { startEngine } from './engine/start-engine.ts'
import { existingCluster } from './existing-cluster.ts'
import { buildPrograms } from './from-packages/build-programs.ts'
import { makeSite, newCluster } from './new-cluster.ts'
import { listNodes } from './nodes.ts'
import { REMOVAL_LIMIT_MS, removeCluster } from './remove-cluster.ts'
import { type Site, siteOf } from './site.ts'
import { dockerOf, findTools, type Tools } from './tools.ts'

const STATUS_LIMIT_MS = 20_000
const BUSY = 'another process is at work on this cluster; waiting for it'

/** Starts the cluster, or finds the one that is there and well; a run that is to use it is written down with it. */
export async function up(request: UpRequest): Promise<ClusterDescription> {
  const site = siteOf(request.name)
  const bringUpForRun = async (): Promise<ClusterDescription> => {
    const description = await bringUp(site, request)
    if (request.runId !== undefined) await markRun(site.directory, request.runId)
    return description
  }
  return whileLocked(site.directory, request.signal, bringUpForRun, () => request.progress(BUSY))
}

/** The run is over. */
export async function release(name: string, runId: string): Promise<void> {
  await unmarkRun(siteOf(name).directory, runId)
}

async function bringUp(site: Site, request: UpRequest): Promise<ClusterDescription> {
  const { signal, progress, settings = {}, installPrograms, restore } = request
  const engine = await startEngine({
    signal,
    progress,
    systemPackages: async (programs) => installPrograms?.(programs) ?? programs,
  })
  const tools = dockerOf(engine.environment)
  const sources = candidates({ settings, engine, tools, signal, progress, installPrograms })
  const { sharedFolder } = site
  const cgroupV1 = engine.cgroupVersion === 1
  const plan = (images: ChosenImages): Promise<ClusterPlan> =>
    planCluster({ settings, images, sharedFolder, cgroupV1, tools, signal })
  if (!settings.recreate && (await exists(site.kubeconfig))) {
    const expected = await Promise.all(sources.map((source) => source.expected()))
    const plans = await Promise.all(expected.filter((images) => images !== undefined).map(plan))
    const found = await existingCluster({
      site,
      plans,
      tools,
      signal,
      progress,
      ...(restore && { restore }),
    })
    if (found) return found
  }
  await refuseWhileUsed(site.directory, site.name, 'made anew')
  await makeSite(site)
  const all = await allTools(engine, request)
  const images = await obtain(sources, request)
  return newCluster(site, await plan(images), all, request)
}

/** kind and kubectl are built where they are missing; better before minutes of pulling than after. */
async function allTools({ environment }: Engine, { signal, progress }: UpRequest): Promise<Tools> {
  const sources = { engine: environment }
  const missing = await findTools(sources).catch((error: Error) => error)
  if (!(missing instanceof Error)) return missing
  try {
    await buildPrograms(['kind', 'kubectl'], { signal, progress })
  } catch (error) {
    signal.throwIfAborted()
    progress(`kind and kubectl can't be built: ${(error as Error).message.split('\n')[0]}`)
    throw missing
  }
  return findTools(sources)
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

/** Undefined where none was made to the end, or what was made is gone or off. */
export async function status(name: string): Promise<ClusterDescription | undefined> {
  const site = siteOf(name)
  if (!(await exists(site.kubeconfig))) return undefined
  const signal = AbortSignal.timeout(STATUS_LIMIT_MS)
  const engine = await engineIfAny(signal)
  if (!engine) return undefined
  const tools = dockerOf(engine.environment)
  if ((await listNodes(site.cluster, tools, signal)).length === 0) return undefined
  const client = new KubeClient(await loadKubeconfig(site.kubeconfig))
  try {
    if (!(await readRecord(client, signal))) return undefined
    return await describeCluster(site, client, tools, signal)
  } catch (error) {
    if (isRefusal(error as Error)) return undefined
    throw error
  } finally {
    client.close()
  }
}

/** Nobody listens where its API server was. */
function isRefusal({ cause }: { readonly cause?: unknown }): boolean {
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'
}

/** Ends it with all that belongs to it. Throws UsageError where a run of another process uses it. */
export async function down(name: string, request?: DownRequest): Promise<void> {
  const site = siteOf(name)
  const signal = request?.signal ?? AbortSignal.timeout(REMOVAL_LIMIT_MS * 2)
  const end = async (): Promise<void> => {
    await refuseWhileUsed(site.directory, site.name, 'taken down')
    const engine = await engineIfAny(signal)
    const limited = AbortSignal.any([signal, AbortSignal.timeout(REMOVAL_LIMIT_MS)])
    await removeCluster(site, engine && dockerOf(engine.environment), limited)
  }
  await whileLocked(site.directory, signal, end, () => request?.progress(BUSY))
}

/** Undefined where none runs, and so no node does. Throws UsageError where one is there and doesn't let us in. */
async function engineIfAny(signal: AbortSignal): Promise<Engine | undefined> {
  const found = await lookForEngine(signal, engineFolders())
  if (!('reason' in found)) return found
  if (found.missing === 'docker' || found.missing === 'answer') return undefined
  throw noEngineError(found)
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
