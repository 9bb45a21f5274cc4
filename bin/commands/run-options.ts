import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, InvalidArgumentError } from 'commander'
import type { ClusterProvider } from '../../clusters/provider.ts'
import { UsageError } from '../../src/contract/errors.ts'
import { readFamilies } from '../../support/report/criteria.ts'
import { REFERENCE } from '../run/cucumber-request.ts'
import type { RunRequest } from '../run/run-request.ts'
import { chooseWorkers } from '../run/workers.ts'
import { clusterOption } from './cluster-options.ts'
import { addClusterSettings, type ClusterSettingOptions, clusterSettings } from './cluster-settings.ts'

/** Each worker is some processes of its own: a slip of the finger must not take the machine down. */
const MOST_WORKERS = 64
const MOST_RETRIES = 100

/** A request as the words of a command give it: the rung by its provider, the number of workers only where it is said. */
type RunOptions = Omit<RunRequest, 'paths' | 'provider' | 'parallel' | 'settings'> &
  ClusterSettingOptions & {
    readonly cluster: ClusterProvider
    readonly parallel?: number
  }

/** What every command that runs the suite can be told. */
export function addRunOptions(command: Command): Command {
  return addClusterSettings(command.addOption(clusterOption()))
    .option('--name <name>', 'which cluster, where they outlive a run')
    .option(
      '--tags <expression>',
      'only scenarios whose tags match, such as "@pool and not @needs-windows-stand-in"',
    )
    .option(
      '--parallel <workers>',
      'workers, each with a cluster of its own where clusters are ours; by default, for the whole suite, one per core there, and 3 on a cluster that they share; else 1',
      between(1, MOST_WORKERS),
    )
    .option(
      '--retry <times>',
      'try a failed scenario again; one that passes then is flaky, not passed',
      between(0, MOST_RETRIES),
      0,
    )
    .option('--require <ids>', 'criteria that must pass, such as NP-2,EDGE-1', splitIds, [])
    .option('--implementation <module>', 'module to test', REFERENCE)
    .option('--reports <folder>', 'where the reports go', projectPath('reports'))
    .option('--configuration <file>', 'Cucumber configuration of another suite', projectPath('cucumber.json'))
    .option('--no-allure', 'leave out the Allure results and their pages; the acceptance pages remain')
    .option('--no-system-packages', 'never install distribution packages')
}

/** Checks what was asked for as far as that is possible without a cluster. */
export function runRequest(paths: readonly string[], options: RunOptions): RunRequest {
  const { cluster, parallel, ...rest } = options
  if (cluster.ownedByRun && rest.name !== undefined)
    throw new UsageError(`On the ${cluster.rung} rung clusters are a run's own: leave out --name`)
  const choice = { provider: cluster, paths, ...(rest.tags !== undefined && { tags: rest.tags }) }
  return {
    ...rest,
    provider: cluster,
    settings: clusterSettings(cluster, options),
    parallel: parallel ?? chooseWorkers(choice),
    paths: paths.map((path) => existing(path, 'feature file or folder')),
    implementation: existing(options.implementation, 'implementation'),
    reports: resolve(options.reports),
    configuration: existing(options.configuration, 'Cucumber configuration'),
  }
}

/** Absolute, with the `:line` of a scenario kept. */
function existing(path: string, what: string): string {
  const [, file, line] = /^(.*?)((?::\d+)*)$/s.exec(path) ?? []
  if (file && existsSync(file)) return `${resolve(file)}${line}`
  throw new UsageError(`There is no ${what} ${path}`)
}

function projectPath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}

function between(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (Number.isSafeInteger(value) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
  }
}

/** `NP-2,EDGE-1.missing`; may be given several times. */
function splitIds(text: string, before: readonly string[]): readonly string[] {
  const ids = text.split(',').map((id) => id.trim())
  const known = new Set(
    readFamilies()
      .flatMap(({ criteria }) => criteria)
      .flatMap(({ id, cells }) => [id, ...cells.map((cell) => `${id}.${cell}`)]),
  )
  const wrong = ids.find((id) => !known.has(id))
  if (wrong === undefined) return [...before, ...ids]
  throw new InvalidArgumentError(
    `There is no criterion or cell "${wrong}"; an id looks like NP-2 or NP-2.release.`,
  )
}
