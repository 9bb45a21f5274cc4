import { mkdir } from 'node:fs/promises'
import { KubeClient } from '../../src/kube/client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import type { ClusterDescription, UpRequest } from '../provider.ts'
import type { ClusterPlan } from './cluster-plan.ts'
import { writeRecord } from './cluster-record.ts'
import { describeCluster } from './describe-cluster.ts'
import type { Engine } from './engine/engine.ts'
import { fenceNetwork } from './engine/network-fence.ts'
import { makeFixedNetwork } from './fixed-network.ts'
import { waitUntilWhole } from './health.ts'
import { carvePools, readNetwork } from './network.ts'
import { startVantage } from './outside-vantage.ts'
import { type Installation, installParts, installPools } from './parts/install.ts'
import { REMOVAL_LIMIT_MS, removeCluster } from './remove-cluster.ts'
import { NETWORK, type Site } from './site.ts'
import type { Tools } from './tools.ts'

/** Until nodes, MetalLB, provisioners and stand-ins all answer, on a very busy machine. */
const WHOLE_LIMIT_MS = 5 * 60_000

/** Makes the cluster, in place of whatever of it is there; its record is written last, when all of it is available. */
export async function newCluster(
  site: Site,
  engine: Engine,
  made: ClusterPlan,
  tools: Tools,
  request: UpRequest,
): Promise<ClusterDescription> {
  const { signal, progress } = request
  await removeCluster(site, tools, signal)
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
    return await finish(site, installation, tools)
  } catch (error) {
    // What failed stays for a look, and the next `up` makes it anew; nobody looks at what was interrupted.
    if (signal.aborted) await removeCluster(site, tools, AbortSignal.timeout(REMOVAL_LIMIT_MS))
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

async function finish(site: Site, installation: Installation, tools: Tools): Promise<ClusterDescription> {
  const { plan: made, signal, progress } = installation
  const client = new KubeClient(await loadKubeconfig(site.kubeconfig))
  try {
    progress('waiting for everything to be available')
    await waitUntilWhole(client, WHOLE_LIMIT_MS, signal)
    await installPools(installation)
    await writeRecord(client, { inputs: made.inputs }, signal)
    return await describeCluster(site, client, tools, signal)
  } finally {
    client.close()
  }
}
