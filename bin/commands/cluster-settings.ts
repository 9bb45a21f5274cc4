import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ClusterProvider, ClusterSettings, UpRequest, WorkerRole } from '../../clusters/provider.ts'
import { UsageError } from '../../src/contract/errors.ts'
import { isOnPath, thisMachine } from '../system/machine.ts'
import { NEEDS } from '../system/needs.ts'
import { ensureSystemPackages } from '../system-packages.ts'

/** What commander makes of the options below; `ClusterSettings` under the names that a command line gives them. */
export interface ClusterSettingOptions extends Omit<ClusterSettings, 'secondWorkers'> {
  readonly secondWorker?: readonly WorkerRole[]
}

const ROLES: readonly WorkerRole[] = ['data', 'management']

/** How each setting is spelled, for refusals. */
const FLAGS: Readonly<Record<keyof ClusterSettings, string>> = {
  recreate: '--recreate',
  fromPackages: '--from-packages',
  nodeImage: '--node-image',
  workloadImage: '--workload-image',
  images: '--images',
  secondWorkers: '--second-worker',
  context: '--context',
  kubeconfig: '--kubeconfig',
  yes: '--yes',
}

/** What a command that may start a cluster can be told about it. */
export function addClusterSettings(command: Command): Command {
  return addWhichCluster(command)
    .option('--recreate', 'kind: make the cluster anew although a matching one is there')
    .option('--from-packages', 'kind: build its images from packages, without trying to pull any')
    .option('--node-image <image>', 'kind: take this node image')
    .option('--workload-image <image>', 'kind, kubeconfig: run the harness’s own pods from this image')
    .option('--images <folder>', 'kind: load the image archives of this folder', (folder) => resolve(folder))
    .addOption(
      new Option(
        '--second-worker <role>',
        `kind: two workers for a role (${ROLES.join(', ')}); repeatable`,
      ).argParser(collectRole),
    )
    .option('--yes', 'kubeconfig: confirm that scenarios may change marked nodes')
}

/** What says which cluster is meant, where its name does not. */
export function addWhichCluster(command: Command): Command {
  return command
    .option('--context <name>', 'kubeconfig: the context of the cluster')
    .option('--kubeconfig <file>', 'kubeconfig: the file that has the context', (file) => resolve(file))
}

/** The same as the words of a command line. */
export function whichCluster({ context, kubeconfig }: ClusterSettings = {}): readonly string[] {
  return [
    ...(context === undefined ? [] : ['--context', context]),
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
  ]
}

/** The settings that were given. Throws UsageError for one that means nothing on this rung. */
export function clusterSettings(
  provider: Pick<ClusterProvider, 'rung' | 'settings'>,
  { secondWorker, ...options }: ClusterSettingOptions,
): ClusterSettings {
  const given: Record<string, unknown> = { ...options, secondWorkers: secondWorker }
  const settings = Object.fromEntries(
    (Object.keys(FLAGS) as (keyof ClusterSettings)[])
      .filter((key) => given[key] !== undefined)
      .map((key) => [key, given[key]]),
  ) as ClusterSettings
  const stray = (Object.keys(settings) as (keyof ClusterSettings)[]).find(
    (key) => !provider.settings.includes(key),
  )
  if (stray === undefined) return settings
  const known = provider.settings.map((key) => FLAGS[key]).join(', ')
  throw new UsageError(`The ${provider.rung} rung has no ${FLAGS[stray]}; it has ${known || 'no settings'}`)
}

/** How a provider gets what it needs of this machine and of the person at it. */
export function machineServices(
  allowed: boolean,
  signal: AbortSignal,
  say: (line: string) => void,
): Pick<UpRequest, 'installPrograms' | 'confirm'> {
  return {
    installPrograms: async (programs) => {
      const names = NEEDS.filter(({ program }) => programs.includes(program)).map(({ name }) => name)
      await ensureSystemPackages(names, { allowed, signal, say })
      return programs.filter((program) => !isOnPath(program, thisMachine()))
    },
    ...(process.stdin.isTTY && process.stderr.isTTY && { confirm: (question) => ask(question, signal) }),
  }
}

async function ask(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal })).trim())
  } finally {
    terminal.close()
  }
}

function collectRole(text: string, before: readonly WorkerRole[] = []): readonly WorkerRole[] {
  const role = ROLES.find((known) => known === text)
  if (role) return [...before, role]
  throw new InvalidArgumentError(`There is no such role; there is ${ROLES.join(', ')}.`)
}
