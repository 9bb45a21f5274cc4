import type { Tools } from './tools.ts'

/** What is promised of a workload image is Node: that keeps it busy, and tells its routes. */
const SLEEP = 'setInterval(() => {}, 2 ** 30)'
const TELL_ROUTES = `for (const name of ['route', 'ipv6_route'])
  try { process.stdout.write(fs.readFileSync('/proc/net/' + name, 'utf8')) } catch {}`
/** The node image always has iproute2. */
const CUT_OFF = 'ip -4 route del default; ip -6 route del default; true'

/** The container beside the cluster's nodes that sees it as a client from outside does. */
export function vantageName(cluster: string): string {
  return `${cluster}-outside`
}

type Docker = Pick<Tools, 'docker'>

export interface VantageRequest {
  /** As kind knows it. */
  readonly cluster: string
  readonly network: string
  /** Has Node 20 or newer. */
  readonly workload: string
  readonly nodeImage: string
}

/**
 * Starts it anew on the nodes' network. It has no route out, not even by way of the nodes to a pod or a cluster IP: what
 * it reaches is announced or published. What it runs can't change that.
 */
export async function startVantage(
  { cluster, network, workload, nodeImage }: VantageRequest,
  tools: Docker,
  signal: AbortSignal,
): Promise<void> {
  const name = vantageName(cluster)
  await removeVantage(cluster, tools, signal)
  const run = { for: `starting the outside vantage ${name}`, signal }
  const limits = ['--memory', '512m', '--pids-limit', '256']
  const words = [
    'run',
    '--detach',
    '--name',
    name,
    '--hostname',
    name,
    '--network',
    network,
    '--init',
    ...limits,
  ]
  await tools.docker([...words, '--entrypoint', 'node', workload, '-e', SLEEP], run)
  const helper = ['run', '--rm', '--network', `container:${name}`, '--cap-add', 'NET_ADMIN']
  await tools.docker([...helper, '--entrypoint', 'sh', nodeImage, '-c', CUT_OFF], run)
  if (!(await hasVantage(cluster, tools, signal))) throw new Error(`${run.for}: it still has a route out`)
}

export async function removeVantage(cluster: string, tools: Docker, signal: AbortSignal): Promise<void> {
  const name = vantageName(cluster)
  await tools.docker(['rm', '--force', '--volumes', name], { for: `removing ${name}`, signal })
}

/** Whether it is there, runs, and was cut off from what is outside its network. */
export async function hasVantage(cluster: string, tools: Docker, signal: AbortSignal): Promise<boolean> {
  const run = { for: 'looking for the outside vantage', signal }
  const name = vantageName(cluster)
  const filter = ['--filter', `name=^${name}$`, '--filter', 'status=running']
  if ((await tools.docker(['ps', '--quiet', ...filter], run)).trim() === '') return false
  return !hasDefaultRoute(await tools.docker(['exec', name, 'node', '-e', TELL_ROUTES], run))
}

/** In the texts of /proc/net/route and /proc/net/ipv6_route; the kernel's own reject route of IPv6 is on lo. */
function hasDefaultRoute(text: string): boolean {
  return text.split('\n').some((line) => {
    const fields = line.trim().split(/\s+/)
    const [first = '', second = ''] = fields
    const version4 = second === '00000000' && fields[7] === '00000000'
    const version6 = /^0{32}$/.test(first) && second === '00' && fields.at(-1) !== 'lo'
    return version4 || version6
  })
}
