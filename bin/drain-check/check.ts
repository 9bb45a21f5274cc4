/**
 * `npm run drain-check -- --cluster kind`: drains nodes of its own with our drain and with kubectl's, and compares what became of
 * each pod. Ends with the line `N of N agree`; exit code 1 unless all do.
 */
import { Command } from 'commander'
import { findKubectl, NO_KUBECTL } from '../../clusters/kubectl/find-kubectl.ts'
import type { ClusterProvider } from '../../clusters/provider.ts'
import { UsageError } from '../../src/contract/errors.ts'
import { KubeClient } from '../../src/kube/client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { textTable } from '../../support/evidence/text-table.ts'
import { clusterOption } from '../commands/cluster-options.ts'
import { EXIT } from '../exit-codes.ts'
import { listenForInterruption } from '../run/interruption.ts'
import { runCommandLine } from '../run-command-line.ts'
import { CASES, type DrainCase } from './cases.ts'
import { TestNode } from './test-node.ts'
import { type DrainTool, ours, theirs } from './tools.ts'

/** Cases under way at a time: each has two nodes and two namespaces, and waits most of its time. */
const AT_ONCE = 4

interface Options {
  readonly cluster: ClusterProvider
  readonly name: string
}

const program = new Command('drain-check')
  .description('compare our drain with kubectl’s, on nodes of its own')
  .addOption(clusterOption())
  .option('--name <name>', 'which cluster', 'default')
  .action(run)
process.exitCode = await runCommandLine(program, process.argv.slice(2))

async function run({ cluster, name }: Options): Promise<void> {
  const kubectl = await findKubectl()
  if (kubectl === undefined) throw new UsageError(NO_KUBECTL)
  const found = await cluster.status(name)
  if (!found?.capabilities.includes('running-pods'))
    throw new UsageError(`No ${cluster.rung} cluster ${name} with running pods is up`)
  using interruption = listenForInterruption()
  const kube = new KubeClient(await loadKubeconfig(found.kubeconfig))
  try {
    const tools = [theirs(kubectl, found.kubeconfig), ours(kube)]
    const compared = await inTurns(CASES, (one, at) =>
      compare(kube, one, `${runName()}-${at}`, tools, interruption.asked),
    )
    print(compared)
    process.exitCode = compared.every(({ agree }) => agree) ? EXIT.passed : EXIT.failed
  } finally {
    kube.close()
  }
}

interface Compared {
  readonly of: DrainCase
  readonly told: readonly string[]
  readonly said: readonly string[]
  readonly agree: boolean
}

async function compare(
  kube: KubeClient,
  of: DrainCase,
  name: string,
  tools: readonly DrainTool[],
  signal: AbortSignal,
): Promise<Compared> {
  const results = await Promise.all(
    tools.map(async (tool) => {
      const node = new TestNode(kube, of, `${name}-${tool.name}`, runName(), signal)
      try {
        await node.setUp()
        const { succeeded, refused, said } = await tool.drain(node, of, signal)
        const pods = await node.outcomes(refused)
        const all = {
          drained: succeeded ? 'yes' : 'no',
          closed: (await node.isCordoned()) ? 'yes' : 'no',
          ...pods,
        }
        return {
          told: Object.entries(all)
            .map((pair) => pair.join(': '))
            .join(', '),
          said,
        }
      } finally {
        await node.tearDown()
      }
    }),
  )
  const told = results.map((one) => one.told)
  return { of, told, said: results.map((one) => one.said), agree: new Set(told).size === 1 }
}

/** So many at a time, in order. */
async function inTurns<T, R>(all: readonly T[], work: (one: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const rest = all.entries()
  const turn = async (): Promise<void> => {
    for (const [at, one] of rest) results[at] = await work(one, at)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, turn))
  return results
}

function print(compared: readonly Compared[]): void {
  const rows = compared.map(({ of, told: [first = '', second = ''], agree }) =>
    agree ? [of.name, first, 'agree'] : [of.name, `kubectl: ${first}; ours: ${second}`, 'DIFFER'],
  )
  process.stdout.write(`${textTable(['case', 'what became of it', ''], rows)}\n\n`)
  for (const { of, agree, said } of compared)
    if (!agree) process.stdout.write(`${of.name}\n  kubectl said: ${said[0]}\n  ours said: ${said[1]}\n\n`)
  process.stdout.write(`${compared.filter(({ agree }) => agree).length} of ${compared.length} agree\n`)
}

function runName(): string {
  return `drain-check-${process.pid}`
}
