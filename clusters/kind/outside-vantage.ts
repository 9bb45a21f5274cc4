import type { Tools } from './tools.ts'

/** The container beside the cluster's nodes that sees it as a client from outside does. */
export function vantageName(cluster: string): string {
  return `${cluster}-outside`
}

/**
 * Starts it anew on the nodes' network. It has no route out, not even by way of the nodes to a pod or a cluster IP: what
 * it reaches is announced or published.
 */
export async function startVantage(
  cluster: string,
  image: string,
  network: string,
  tools: Pick<Tools, 'docker'>,
  signal: AbortSignal,
): Promise<void> {
  const name = vantageName(cluster)
  await removeVantage(cluster, tools, signal)
  const run = { for: `starting the outside vantage ${name}`, signal }
  const words = ['run', '--detach', '--name', name, '--hostname', name, '--network', network, '--init']
  await tools.docker([...words, '--cap-add', 'NET_ADMIN', image, 'sleep', 'infinity'], run)
  await tools.docker(['exec', name, 'ip', 'route', 'del', 'default'], run)
}

export async function removeVantage(
  cluster: string,
  tools: Pick<Tools, 'docker'>,
  signal: AbortSignal,
): Promise<void> {
  const name = vantageName(cluster)
  await tools.docker(['rm', '--force', '--volumes', name], { for: `removing ${name}`, signal })
}

/** Whether it is there and runs. */
export async function hasVantage(
  cluster: string,
  tools: Pick<Tools, 'docker'>,
  signal: AbortSignal,
): Promise<boolean> {
  const filter = ['--filter', `name=^${vantageName(cluster)}$`, '--filter', 'status=running']
  const ids = await tools.docker(['ps', '--quiet', ...filter], {
    for: 'looking for the outside vantage',
    signal,
  })
  return ids.trim() !== ''
}
