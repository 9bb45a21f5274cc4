import { rm } from 'node:fs/promises'
import { UsageError } from '../../src/contract/errors.ts'
import { bindMount } from './bind-mount.ts'
import { removeNetwork } from './cluster-network.ts'
import { thawFrozen } from './engine/thaw-frozen.ts'
import { listNodes, type NodeContainer, readNodeRecord } from './nodes.ts'
import { removeVantage } from './outside-vantage.ts'
import { ToolError } from './run-tool.ts'
import type { Site } from './site.ts'
import type { Tools } from './tools.ts'

/** Milliseconds that taking away what is there, or what was half made, may take. */
export const REMOVAL_LIMIT_MS = 60_000

type Docker = Pick<Tools, 'docker'>

/**
 * Removes nodes, vantage, network, kubeconfig and shared folder, whatever of them is there. By what they are called in
 * the engine, without kind: it may be gone by now, or another one. Where no engine runs, the folder alone.
 */
export async function removeCluster(
  site: Site,
  tools: Docker | undefined,
  signal: AbortSignal,
  remove: typeof rm = rm,
): Promise<void> {
  if (!tools) {
    await removeFolder(site, undefined, remove)
    return
  }
  const nodes = await listNodes(site.cluster, tools, signal)
  const image = nodes[0]?.image ?? (await readNodeRecord(site))?.image
  await removeVantage(site.cluster, tools, signal)
  await removeNodes(site, nodes, tools, signal)
  await removeNetwork(site.network, tools, signal)
  const empty = image === undefined ? undefined : () => emptyShared(site, image, tools, signal)
  await removeFolder(site, empty, remove)
}

async function removeNodes(
  { cluster }: Site,
  nodes: readonly NodeContainer[],
  { docker }: Docker,
  signal: AbortSignal,
): Promise<void> {
  if (nodes.length === 0) return
  const words = ['rm', '--force', '--volumes', ...nodes.map(({ id }) => id)]
  const run = { for: `removing cluster ${cluster}`, signal }
  await docker(words, run).catch(async (error: unknown) => {
    signal.throwIfAborted()
    // What a crashing sandbox left frozen in a node takes no signal, and the engine waits for its end in vain.
    const thawed = await Promise.all(nodes.map(({ id }) => thawFrozen(id)))
    if (!(error instanceof ToolError) || thawed.every((count) => count === 0)) throw error
    await docker(words, run)
  })
}

/** Volumes in the shared folder are root's, whoever uses the engine: only a container may remove them. */
async function removeFolder(
  { directory, sharedFolder }: Site,
  emptyShared: (() => Promise<void>) | undefined,
  remove: typeof rm,
): Promise<void> {
  const all = { recursive: true, force: true }
  try {
    await remove(directory, all)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM') throw error
    if (!emptyShared) throw new UsageError(`Files of root's are left in ${sharedFolder}: remove it as root`)
    await emptyShared()
    await remove(directory, all)
  }
}

async function emptyShared(
  { sharedFolder }: Site,
  image: string,
  { docker }: Docker,
  signal: AbortSignal,
): Promise<void> {
  const mount = bindMount(sharedFolder, '/shared')
  const words = ['run', '--rm', '--network', 'none', '--mount', mount, '--entrypoint', 'find', image]
  const run = { for: `emptying ${sharedFolder}`, signal }
  await docker([...words, '/shared', '-mindepth', '1', '-delete'], run)
}
