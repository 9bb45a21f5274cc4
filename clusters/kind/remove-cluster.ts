import { rm } from 'node:fs/promises'
import { thawFrozen } from './engine/thaw-frozen.ts'
import { CLUSTER_LABEL } from './node-operations.ts'
import { removeVantage } from './outside-vantage.ts'
import { ToolError } from './run-tool.ts'
import type { Site } from './site.ts'
import type { Tools } from './tools.ts'

/** Milliseconds that taking away what is there, or what was half made, may take. */
export const REMOVAL_LIMIT_MS = 60_000

/** Removes nodes, vantage, kubeconfig and shared folder, whatever of them is there. */
export async function removeCluster(site: Site, tools: Tools, signal: AbortSignal): Promise<void> {
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
