import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import type { ClusterDescription, ClusterProvider } from '../../clusters/provider.ts'
import { UsageError } from '../../src/contract/errors.ts'
import { EXIT } from '../exit-codes.ts'
import { listenForInterruption } from '../run/interruption.ts'
import { imagesCommand, pruneCommand } from './cluster-images.ts'
import { nodeCommand } from './cluster-node.ts'
import { clusterOption } from './cluster-options.ts'
import {
  addClusterSettings,
  type ClusterSettingOptions,
  clusterSettings,
  machineServices,
} from './cluster-settings.ts'

interface ClusterOptions {
  readonly cluster: ClusterProvider
  readonly name: string
}

interface UpOptions extends ClusterOptions, ClusterSettingOptions {
  readonly detach?: true
  readonly systemPackages: boolean
}

/** How often a cluster in the foreground is asked whether it is well, in milliseconds. */
const HEALTH_INTERVAL_MS = 1_000

/** `poolwright cluster`: a cluster to work with by hand. */
export function clusterCommand(): Command {
  return new Command('cluster')
    .description('start, find and end a cluster')
    .addCommand(
      addClusterSettings(
        subcommand('up', 'start a cluster; an embedded one ends with this command unless detached')
          .option('--detach', 'leave it running until "down"; print the path of its kubeconfig')
          .option('--no-system-packages', 'never install distribution packages'),
      ).action((options: UpOptions) =>
        // A cluster that isn't made for one run is never ended by the way.
        (options.detach || !options.cluster.ownedByRun ? upDetached : upAttached)(options),
      ),
    )
    .addCommand(subcommand('down', 'end a cluster and prove that nothing of it is left').action(down))
    .addCommand(subcommand('status', 'say whether it is up, and what it is').action(status))
    .addCommand(subcommand('env', 'print what a shell needs: eval "$(poolwright cluster env)"').action(env))
    .addCommand(nodeCommand())
    .addCommand(imagesCommand())
    .addCommand(pruneCommand())
}

function subcommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(clusterOption())
    .option('--name <name>', 'which cluster', 'default')
}

async function upDetached(options: UpOptions): Promise<void> {
  const { cluster, name } = options
  const settings = clusterSettings(cluster, options)
  using interruption = listenForInterruption()
  const { kubeconfig } = await cluster.up({
    name,
    signal: interruption.asked,
    progress: say,
    lifetime: 'detached',
    settings,
    ...machineServices(options.systemPackages, interruption.asked, say),
  })
  process.stdout.write(`${kubeconfig}\n`)
}

async function upAttached(options: UpOptions): Promise<void> {
  const { cluster, name } = options
  const settings = clusterSettings(cluster, options)
  using interruption = listenForInterruption()
  const { asked } = interruption
  const found = await cluster.status(name)
  if (found) throw new UsageError(`Cluster ${name} is already up: ${found.kubeconfig}`)
  try {
    const description = await cluster.up({
      name,
      signal: asked,
      progress: say,
      lifetime: 'command',
      settings,
    })
    for (const line of describe(description)) say(line)
    say('Ctrl-C ends it.')
    await stayUntil(asked, () => cluster.status(name))
  } finally {
    await cluster.down(name)
  }
  process.exitCode = EXIT.interrupted
}

/** Rejects when the cluster fails meanwhile. */
async function stayUntil(asked: AbortSignal, check: () => Promise<unknown>): Promise<void> {
  while (!asked.aborted) {
    await Promise.race([delay(HEALTH_INTERVAL_MS), once(asked, 'abort')])
    if (!asked.aborted && !(await check())) return
  }
}

async function down({ cluster, name }: ClusterOptions): Promise<void> {
  using interruption = listenForInterruption()
  await cluster.down(name, { signal: interruption.asked, progress: say })
  say(`Nothing of cluster ${name} is left.`)
}

async function status({ cluster, name }: ClusterOptions): Promise<void> {
  const found = await find(cluster, name)
  for (const line of describe(found)) process.stdout.write(`${line}\n`)
}

async function env({ cluster, name }: ClusterOptions): Promise<void> {
  const { kubeconfig } = await find(cluster, name)
  process.stdout.write(`export KUBECONFIG='${kubeconfig.replaceAll("'", `'\\''`)}'\n`)
}

async function find(cluster: ClusterProvider, name: string): Promise<ClusterDescription> {
  const found = await cluster.status(name)
  if (found) return found
  throw new UsageError(
    `No ${cluster.rung} cluster ${name} is up: start it with "poolwright cluster up --detach"`,
  )
}

function describe(cluster: ClusterDescription): string[] {
  return [
    `cluster     ${cluster.name} (${cluster.rung} ${cluster.version})`,
    `kubeconfig  ${cluster.kubeconfig}`,
    `can         ${cluster.capabilities.join(', ') || 'nothing beyond the API'}`,
    `stand-ins   ${cluster.standIns.join(', ') || 'none'}`,
  ]
}

/** For people; standard output stays for what a script takes. */
function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
