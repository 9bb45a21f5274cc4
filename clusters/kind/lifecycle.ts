import { access, mkdir, rm } from 'node:fs/promises'
import { KubeClient } from '../../src/kube/client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { detectCapabilities } from '../detect-capabilities.ts'
import { whileLocked } from '../embedded/name-lock.mjs'
import type { ClusterDescription, Limits, UpRequest } from '../provider.ts'
import { type Candidate, candidates } from './candidates.ts'
import { type ClusterPlan, planCluster } from './cluster-plan.ts'
import { type ClusterRecord, readRecord, writeRecord } from './cluster-record.ts'
import type { Engine } from './engine/engine.ts'
import { findEngine } from './engine/find-engine.ts'
import { fenceNetwork } from './engine/network-fence.ts'
import { startEngine } from './engine/start-engine.ts'
import { thawFrozen } from './engine/thaw-frozen.ts'
import { makeFixedNetwork } from './fixed-network.ts'
import { ailments, waitUntilWhole } from './health.ts'
import { carvePools, readNetwork } from './network.ts'
import { CLUSTER_LABEL } from './node-operations.ts'
import { hasVantage, removeVantage, startVantage } from './outside-vantage.ts'
import { type Installation, installParts, installPools } from './parts/install.ts'
import { STANDS_IN_FOR } from './parts/stand-ins.ts'
import { lostRoutes } from './routes.ts'
import { ToolError } from './run-tool.ts'
import { type Site, siteOf } from './site.ts'
import { dockerOf, findTools, type Tools } from './tools.ts'

/** kind puts the nodes of all clusters into this network of the engine. */
const NETWORK = 'kind'
/** Until nodes, MetalLB, provisioners and stand-ins all answer, on a very busy machine. */
const WHOLE_LIMIT_MS = 5 * 60_000
/** Taking away what was half made when nobody waits any more. */
const REMOVAL_LIMIT_MS = 60_000

/** Heartbeats and grace periods of cluster-config.yaml, and pods that really start and stop. */
const LIMITS: Limits = { reaction: 30_000, step: 120_000 }

/** Starts the cluster, or finds the one that is there and well. */
export async function up(request: UpRequest): Promise<ClusterDescription> {
  const site = siteOf(request.name)
  const waiting = (): void => request.progress('another process is at work on this cluster; waiting for it')
  return whileLocked(site.directory, request.signal, () => bringUp(site, request), waiting)
}

async function bringUp(site: Site, request: UpRequest): Promise<ClusterDescription> {
  const { signal, progress, settings = {} } = request
  const engine = await startEngine({
    signal,
    progress,
    systemPackages: async (programs) => request.installPrograms?.(programs) ?? programs,
  })
  const sources = candidates({
    settings,
    engine,
    tools: dockerOf(engine.environment),
    signal,
    progress,
    installPrograms: request.installPrograms,
  })
  if (!settings.recreate) {
    const found = await reuse(site, engine, sources, request)
    if (found) return found
  }
  for (const [index, source] of sources.entries()) {
    const images = await source.obtain().catch((error: Error) => {
      if (index === sources.length - 1) throw error
      signal.throwIfAborted()
      progress(`${source.origin}: ${error.message.split('\n')[0]}`)
      return undefined
    })
    if (images) return create(site, engine, await plan(site, engine, settings, images), request)
  }
  throw new Error('there is no source of images')
}

function plan(
  site: Site,
  engine: Engine,
  settings: UpRequest['settings'] = {},
  images: ClusterPlan['images'],
): Promise<ClusterPlan> {
  const { sharedFolder } = site
  return planCluster({ settings, images, sharedFolder, cgroupV1: engine.cgroupVersion === 1 })
}

/** The cluster that is there, where it was made from what would be taken today and is well. */
async function reuse(
  site: Site,
  engine: Engine,
  sources: readonly Candidate[],
  { name, signal, progress, settings }: UpRequest,
): Promise<ClusterDescription | undefined> {
  if (!(await exists(site.kubeconfig))) return undefined
  const client = new KubeClient(await loadKubeconfig(site.kubeconfig))
  try {
    const record = await readRecord(client, AbortSignal.any([signal, AbortSignal.timeout(5_000)]))
    if (!record) return undefined
    for (const source of sources) {
      const expected = await source.expected()
      if (!expected || expected.node !== record.nodeImage) continue
      const { inputs } = await plan(site, engine, settings, expected)
      if (inputs !== record.inputs) continue
      const tools = await findTools({ engine: engine.environment })
      const problems = [...(await ailments(client, signal)), ...(await lostRoutes(client, tools, signal))]
      if (problems.length === 0) {
        await mendVantage(site, record, tools, signal)
        return await describe(name, site, client, tools, signal)
      }
      progress(`the cluster that is there is not well and is made anew: ${problems.join('; ')}`)
      return undefined
    }
    progress('the cluster that is there was made from something else and is made anew')
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    progress(`the cluster that is there doesn't answer and is made anew: ${(error as Error).message}`)
    return undefined
  } finally {
    client.close()
  }
}

async function create(
  site: Site,
  engine: Engine,
  made: ClusterPlan,
  request: UpRequest,
): Promise<ClusterDescription> {
  const { name, signal, progress } = request
  const tools = await findTools({ engine: engine.environment })
  await remove(site, tools, signal)
  await mkdir(site.sharedFolder, { recursive: true, mode: 0o700 })
  try {
    await makeFixedNetwork(NETWORK, tools, { mayReplace: engine.ours, signal })
    progress(`creating the nodes from ${made.images.node} (${made.images.origin})`)
    const words = ['create', 'cluster', '--name', site.cluster, '--image', made.images.node]
    await tools.kind([...words, '--kubeconfig', site.kubeconfig, '--config', '-'], {
      for: `creating cluster ${site.cluster}`,
      input: made.config,
      signal,
    })
    await sideLoad(site, made.images.sideLoaded, tools, request)
    const network = await readNetwork(NETWORK, tools, signal)
    if (engine.ours) await fenceNetwork(network.bridge, signal)
    const { kubeconfig } = site
    const installation: Installation = {
      cluster: site.cluster,
      plan: made,
      pools: carvePools(network.subnet),
      kubeconfig,
      tools,
      signal,
      progress,
    }
    await installParts(installation)
    if (made.images.workload !== undefined) {
      progress('starting the outside vantage')
      await startVantage(site.cluster, made.images.workload, NETWORK, tools, signal)
    }
    return await finish(site, name, installation, tools)
  } catch (error) {
    // What failed stays for a look, and the next `up` makes it anew; nobody looks at what was interrupted.
    if (signal.aborted) await remove(site, tools, AbortSignal.timeout(REMOVAL_LIMIT_MS))
    throw error
  }
}

/** The nodes never pull: what they run was put there. */
async function sideLoad(
  { cluster }: Site,
  images: readonly string[],
  tools: Tools,
  { signal, progress }: UpRequest,
): Promise<void> {
  if (images.length === 0) return
  progress(`loading ${images.length} images into the nodes`)
  const words = ['load', 'docker-image', '--name', cluster, ...images]
  await tools.kind(words, { for: `loading ${images.join(', ')} into the nodes`, signal })
}

async function finish(
  site: Site,
  name: string,
  installation: Installation,
  tools: Tools,
): Promise<ClusterDescription> {
  const { plan: made, signal, progress } = installation
  const client = new KubeClient(await loadKubeconfig(site.kubeconfig))
  try {
    progress('waiting for everything to be available')
    await waitUntilWhole(client, WHOLE_LIMIT_MS, signal)
    await installPools(installation)
    const record = {
      inputs: made.inputs,
      nodeImage: made.images.node,
      workloadImage: made.images.workload ?? '',
    }
    await writeRecord(client, record, signal)
    return await describe(name, site, client, tools, signal)
  } finally {
    client.close()
  }
}

async function mendVantage(
  site: Site,
  record: ClusterRecord,
  tools: Tools,
  signal: AbortSignal,
): Promise<void> {
  if (record.workloadImage === '' || (await hasVantage(site.cluster, tools, signal))) return
  await startVantage(site.cluster, record.workloadImage, NETWORK, tools, signal)
}

async function describe(
  name: string,
  { cluster, kubeconfig }: Site,
  client: KubeClient,
  tools: Tools,
  signal: AbortSignal,
): Promise<ClusterDescription> {
  const [{ gitVersion }, fromApi, vantage] = await Promise.all([
    client.get<{ gitVersion: string }>('/version', signal),
    detectCapabilities(client, signal),
    hasVantage(cluster, tools, signal),
  ])
  return {
    rung: 'kind',
    name,
    kubeconfig,
    version: gitVersion,
    capabilities: [...fromApi, 'node-operations', ...(vantage ? ['outside-vantage' as const] : [])],
    standIns: fromApi.includes('windows-stand-in') ? STANDS_IN_FOR : [],
    limits: LIMITS,
  }
}

/** Undefined where none was made to the end. */
export async function status(name: string): Promise<ClusterDescription | undefined> {
  const site = siteOf(name)
  if (!(await exists(site.kubeconfig))) return undefined
  const signal = AbortSignal.timeout(20_000)
  const engine = await findEngine(signal)
  const tools = await findTools({ engine: engine.environment })
  const client = new KubeClient(await loadKubeconfig(site.kubeconfig))
  try {
    if (!(await readRecord(client, signal))) return undefined
    return await describe(name, site, client, tools, signal)
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
    await remove(site, await findTools({ engine: engine.environment }), signal)
  })
}

async function remove(site: Site, tools: Tools, signal: AbortSignal): Promise<void> {
  await removeVantage(site.cluster, tools, signal)
  const words = ['delete', 'cluster', '--name', site.cluster, '--kubeconfig', site.kubeconfig]
  const run = { for: `removing cluster ${site.cluster}`, signal }
  await tools.kind(words, run).catch(async (error: unknown) => {
    signal.throwIfAborted()
    // What a crashing sandbox left frozen in a node takes no signal, and the engine waits for its end in vain.
    if (!(error instanceof ToolError) || !(await thawNodes(site.cluster, tools, signal))) throw error
    await tools.kind(words, run)
  })
  await rm(site.directory, { recursive: true, force: true })
}

/** Answers whether anything was frozen. */
async function thawNodes(cluster: string, { docker }: Tools, signal: AbortSignal): Promise<boolean> {
  const filter = ['--filter', `label=${CLUSTER_LABEL}=${cluster}`]
  const ids = await docker(['ps', '--all', '--quiet', '--no-trunc', ...filter], {
    for: `looking for the nodes of ${cluster}`,
    signal,
  })
  const thawed = await Promise.all(
    ids
      .split('\n')
      .filter(Boolean)
      .map((id) => thawFrozen(id)),
  )
  return thawed.some((count) => count > 0)
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
