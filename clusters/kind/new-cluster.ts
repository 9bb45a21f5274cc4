import { access, constants } from 'node:fs/promises'
import { UsageError } from '../../src/contract/errors.ts'
import { KubeClient } from '../../src/kube/client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import type { ClusterDescription, UpRequest } from '../provider.ts'
import { FolderError, makeFolder } from '../this-machine/make-folder.ts'
import { makeNetwork } from './cluster-network.ts'
import type { ClusterPlan } from './cluster-plan.ts'
import { writeRecord } from './cluster-record.ts'
import { describeCluster } from './describe-cluster.ts'
import { readFloor, waitUntilWhole } from './health.ts'
import { fewInotifyInstances } from './inotify-limit.ts'
import { carvePools, readSubnet } from './network.ts'
import { listNodes, recordNodes } from './nodes.ts'
import { startVantage } from './outside-vantage.ts'
import { type Installation, installParts, installPools } from './parts/install.ts'
import { REMOVAL_LIMIT_MS, removeCluster } from './remove-cluster.ts'
import { ToolError } from './run-tool.ts'
import type { Site } from './site.ts'
import type { Tools } from './tools.ts'

/** Until nodes, MetalLB, provisioners and stand-ins all answer, on a very busy machine. */
const WHOLE_LIMIT_MS = 5 * 60_000

/** Throws UsageError where the cluster can't have its folder: better before anything is pulled, built or removed. */
export async function makeSite({ sharedFolder, directory }: Site): Promise<void> {
  try {
    await makeFolder(sharedFolder, 0o700)
    await access(directory, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = error instanceof FolderError ? error.message : `it can't be written to (${code})`
    throw new UsageError(
      `no cluster can have the folder ${directory}: ${why}; XDG_STATE_HOME names the folder that clusters go to`,
      { cause: error },
    )
  }
}

/** Makes the cluster, in place of whatever of it is there; its record is written last, when all of it is available. */
export async function newCluster(
  site: Site,
  made: ClusterPlan,
  tools: Tools,
  request: UpRequest,
): Promise<ClusterDescription> {
  const { signal, progress } = request
  await removeCluster(site, tools, signal)
  await makeSite(site)
  try {
    await makeNetwork(site.network, tools, signal)
    await createNodes(site, made, tools, request)
    await sideLoad(site, made.images.sideLoaded, tools, request)
    const { kubeconfig } = site
    const installation: Installation = {
      cluster: site.cluster,
      plan: made,
      pools: carvePools(await readSubnet(site.network, tools, signal)),
      kubeconfig,
      tools,
      signal,
      progress,
    }
    await installParts(installation)
    if (made.images.workload !== undefined) {
      progress('starting the outside vantage')
      await startVantage(
        { ...site, workload: made.images.workload, nodeImage: made.images.node },
        tools,
        signal,
      )
    }
    return await finish(site, installation, tools)
  } catch (error) {
    // What failed stays for a look, and the next `up` makes it anew; nobody looks at what was interrupted.
    if (signal.aborted) await removeCluster(site, tools, AbortSignal.timeout(REMOVAL_LIMIT_MS))
    throw error
  }
}

async function createNodes(
  site: Site,
  { images, config }: ClusterPlan,
  tools: Tools,
  { signal, progress }: UpRequest,
): Promise<void> {
  progress(`creating the nodes from ${images.node} (${images.origin})`)
  const words = ['create', 'cluster', '--name', site.cluster, '--image', images.node]
  await tools
    .kind([...words, '--kubeconfig', site.kubeconfig, '--config', '-'], {
      for: `creating cluster ${site.cluster}`,
      input: config,
      env: { KIND_EXPERIMENTAL_DOCKER_NETWORK: site.network },
      signal,
    })
    .catch(async (error: unknown) => {
      const hint = await fewInotifyInstances()
      if (hint && error instanceof ToolError) progress(hint)
      throw error
    })
  await recordNodes(site, await listNodes(site.cluster, tools, signal))
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

async function finish(site: Site, installation: Installation, tools: Tools): Promise<ClusterDescription> {
  const { plan: made, signal, progress } = installation
  const client = new KubeClient(await loadKubeconfig(site.kubeconfig))
  try {
    progress('waiting for everything to be available')
    await waitUntilWhole(client, WHOLE_LIMIT_MS, signal)
    await installPools(installation)
    const { inputs, imageIds } = made
    await writeRecord(client, { inputs, imageIds, floor: await readFloor(client, signal) }, signal)
    return await describeCluster(site, client, tools, signal, made.images.workload !== undefined)
  } finally {
    client.close()
  }
}
