import { Command } from 'commander'
import type { ClusterProvider } from '../../clusters/provider.ts'
import { UsageError } from '../../src/contract/errors.ts'
import { textTable } from '../../support/evidence/text-table.ts'
import type { Restored } from '../../support/safety/restore.ts'
import { EXIT } from '../exit-codes.ts'
import { listenForInterruption } from '../run/interruption.ts'
import { identifyRun } from '../run/run-identity.ts'
import { clusterOption } from './cluster-options.ts'
import { addWhichCluster, type ClusterSettingOptions, clusterSettings } from './cluster-settings.ts'
import { printable } from './printable.ts'

interface RestoreOptions extends Pick<ClusterSettingOptions, 'context' | 'kubeconfig'> {
  readonly cluster: ClusterProvider
  readonly name: string
  readonly run: readonly string[]
}

/** `poolwright restore`: after a crash, by hand what the next run would do. */
export function restoreCommand(): Command {
  return addWhichCluster(
    new Command('restore')
      .description('put a cluster back as it was before runs that ended without doing it themselves')
      .addOption(clusterOption()),
  )
    .option('--name <name>', 'which cluster', 'default')
    .option(
      '--run <id>',
      'a run that has ended, although it can’t be seen from here; may be given several times',
      (id: string, before: readonly string[]) => [...before, id],
      [],
    )
    .action(restore)
}

async function restore({ cluster: provider, name, run, ...where }: RestoreOptions): Promise<void> {
  using interruption = listenForInterruption()
  const cluster = await provider.status(name, clusterSettings(provider, where))
  if (!cluster) throw new UsageError(`No ${provider.rung} cluster ${name} is up: there is nothing to restore`)
  const { restoreCluster } = await import('../../support/safety/restore-cluster.ts')
  const restored = await restoreCluster({
    cluster,
    run: identifyRun().runId,
    signal: interruption.asked,
    say: (line) => process.stderr.write(`${line}\n`),
    ended: run,
    thorough: true,
  })
  for (const line of report(restored)) process.stdout.write(`${line}\n`)
  if (restored.some(({ outcome }) => outcome === 'failed')) process.exitCode = EXIT.failed
}

/** A table, then whatever takes more than a cell to say. */
function report(restored: readonly Restored[]): readonly string[] {
  if (restored.length === 0) return ['Nothing is left of earlier runs.']
  const rows = restored.map(({ object, change, outcome }) => [object, change, outcome].map(printable))
  const notes = restored.flatMap(({ object, note }) => (note ? [`${printable(object)}: ${lines(note)}`] : []))
  return [textTable(['object', 'what a run did', 'now'], rows), ...notes]
}

/** What stands in a cluster may hold anything; its lines are kept, a terminal's commands are not. */
function lines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}
