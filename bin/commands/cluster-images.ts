import { Command } from 'commander'
import { UsageError } from '../../src/contract/errors.ts'
import { listenForInterruption } from '../run/interruption.ts'
import { machineServices } from './cluster-settings.ts'

interface ImagesOptions {
  readonly fromPackages?: true
  readonly systemPackages: boolean
}

/** `poolwright cluster images`: the images of a kind cluster, before one is started. */
export function imagesCommand(): Command {
  return new Command('images')
    .description('build the images of a kind cluster from packages, and print their names')
    .option('--from-packages', 'from Go modules and distribution packages, the only way there is')
    .option('--no-system-packages', 'never install distribution packages')
    .action(buildImages)
}

/** `poolwright cluster prune`: the disk that builds took. */
export function pruneCommand(): Command {
  return new Command('prune')
    .description('free what builds left: programs, trees and images that today\u2019s inputs don\u2019t use')
    .option('--all', 'also those that they do use')
    .action(prune)
}

async function buildImages({ fromPackages, systemPackages }: ImagesOptions): Promise<void> {
  if (!fromPackages)
    throw new UsageError(
      'Say --from-packages: images that are published are pulled when a cluster needs them',
    )
  // Takes a while to load, which no other command should pay for.
  const { startEngine } = await import('../../clusters/kind/engine/start-engine.ts')
  const { buildImages: build } = await import('../../clusters/kind/from-packages/build.ts')
  using interruption = listenForInterruption()
  const { asked: signal } = interruption
  const { installPrograms } = machineServices(systemPackages, signal, say)
  const engine = await startEngine({
    signal,
    progress: say,
    systemPackages: async (programs) => installPrograms?.(programs),
  })
  const { node, workload } = await build({ engine, signal, progress: say, installPrograms })
  process.stdout.write(`${node}\n${workload}\n`)
}

async function prune({ all = false }: { readonly all?: boolean }): Promise<void> {
  const { pruneBuilds } = await import('../../clusters/kind/from-packages/prune-builds.ts')
  using interruption = listenForInterruption()
  await pruneBuilds({ all, signal: interruption.asked, progress: say })
}

/** For people; standard output stays for what a script takes. */
function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
