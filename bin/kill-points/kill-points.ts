/**
 * `npm run test:kill-points`: kills runs of one scenario with SIGKILL before and after each of their writes, of the whole run
 * and of the command line alone in turn, and at random moments; each time `poolwright restore` has to leave the cluster as it
 * was. Ends with the line `N of N restored`; exit code 1 unless all are.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { kind } from '../../clusters/kind/provider.ts'
import type { ClusterProvider } from '../../clusters/provider.ts'
import { UsageError } from '../../src/contract/errors.ts'
import { clusterOption } from '../commands/cluster-options.ts'
import {
  addClusterSettings,
  type ClusterSettingOptions,
  clusterSettings,
} from '../commands/cluster-settings.ts'
import { EXIT } from '../exit-codes.ts'
import { shareCompileCache } from '../run/compile-cache.ts'
import { listenForInterruption } from '../run/interruption.ts'
import { identifyRun } from '../run/run-identity.ts'
import { runCommandLine } from '../run-command-line.ts'
import { Drill } from './drill.ts'
import { describePoint, planPoints, randomFrom } from './points.ts'
import { Site } from './site.ts'

const MOST_POINTS = 1_000
const MOST_SEED = 2 ** 32 - 1

interface Options extends ClusterSettingOptions {
  readonly cluster: ClusterProvider
  readonly name: string
  readonly points?: number
  readonly seed?: number
}

const program = addClusterSettings(
  new Command('test:kill-points')
    .description('kill runs at every point, and see that the cluster can be restored each time')
    .addOption(clusterOption().default(kind, kind.rung)),
)
  .option('--name <name>', 'which cluster; on embedded one of its own is made', 'default')
  .option(
    '--points <n>',
    'so many points instead of all, which are two for each write, and at least 50',
    wholeNumber(MOST_POINTS),
  )
  .option('--seed <n>', 'of the random moments, to have them again', wholeNumber(MOST_SEED))
  .action(run)
process.exitCode = await runCommandLine(program, process.argv.slice(2))

async function run(options: Options): Promise<void> {
  if (process.platform !== 'linux')
    throw new UsageError('Processes are looked for in /proc: Linux alone has it')
  shareCompileCache()
  const { cluster: provider } = options
  using interruption = listenForInterruption()
  const signal = interruption.asked
  const { runId } = identifyRun()
  const folder = await mkdtemp(join(tmpdir(), 'poolwright-kill-points-'))
  const name = provider.ownedByRun ? `kill-points-${process.pid}` : options.name
  const settings = clusterSettings(provider, options)
  try {
    const site = await Site.open({ provider, name, settings, runId, signal, say: (line) => say(line) })
    try {
      const drill = await Drill.open({ site, folder, signal })
      let isTried = false
      try {
        process.exitCode = (await tryAll(drill, options)) ? EXIT.passed : EXIT.failed
        isTried = true
      } finally {
        if (!isTried) await drill.putBack()
      }
    } finally {
      await site.close()
    }
  } catch (error) {
    if (!signal.aborted) throw error
    say(`${signal.reason}: not all points were tried`)
    process.exitCode = EXIT.interrupted
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether the cluster was as before after each. */
async function tryAll(
  drill: Drill,
  { points: count, seed = Math.floor(Math.random() * MOST_SEED) }: Options,
): Promise<boolean> {
  const { writes, runMs } = await drill.countWrites()
  const points = planPoints(writes, { count, runMs, random: randomFrom(seed) })
  say(
    `${drill.scenario}: ${writes.length} writes in ${seconds(runMs)}; ${points.length} points, seed ${seed}`,
  )
  let restored = 0
  for (const [at, point] of points.entries()) {
    const { differences, putBack, tookMs } = await drill.tryPoint(point)
    if (differences.length === 0) restored += 1
    const verdict = differences.length === 0 ? 'restored' : 'NOT RESTORED'
    const how = `${putBack} put back by restore, ${seconds(tookMs)}`
    say(`${at + 1}/${points.length} ${describePoint(point)}: ${verdict} (${how})`)
    for (const difference of differences) say(`  ${difference.replaceAll('\n', '\n  ')}`)
  }
  say(`${restored} of ${points.length} restored`)
  return restored === points.length
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function wholeNumber(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (Number.isSafeInteger(value) && value >= 1 && value <= most) return value
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${most}.`)
  }
}
