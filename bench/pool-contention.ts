/**
 * Two hundred tests ask one pool of 5,000 entries for a node at the same moment, from several processes, each with a
 * deadline instead of a count of attempts: the whole ConfigMap put back after a fixed delay, against both strategies
 * of ours, in one run. `npm run bench [-- --kubeconfig FILE --allocators N --processes N --entries N --deadline S]`.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { execaNode } from 'execa'
import { PROVIDERS } from '../clusters/registry.ts'
import { connectApi } from '../src/api/connect.ts'
import { configMaps, NAMESPACES } from '../src/api/resource-path.ts'
import type { ConfigMap } from '../src/contract/kubernetes.ts'
import { findFaults, type Measured, reportOf } from './pool-contention-report.ts'
import { MODES, type Mode, type Story, type Task } from './pool-contention-task.ts'

const WORKER = fileURLToPath(new URL('./pool-contention-worker.ts', import.meta.url))
const CONFIG_MAP = 'windows-node-pool'

const { values: options } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    allocators: { type: 'string', default: '200' },
    processes: { type: 'string', default: '4' },
    entries: { type: 'string', default: '5000' },
    /** Seconds that each allocator may take. */
    deadline: { type: 'string', default: '600' },
    /** May be given several times; all of them by default. */
    mode: { type: 'string', multiple: true, default: [...MODES] },
  },
})

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort(signal))
process.exitCode = await main()

async function main(): Promise<number> {
  await using cluster = options.kubeconfig ? borrowed(options.kubeconfig) : await started()
  const measured: Measured[] = []
  for (const mode of MODES.filter((it) => options.mode.includes(it))) {
    say(`${mode}: ${options.allocators} tests, ${options.processes} processes, ${options.entries} entries`)
    measured.push(await measure(cluster.kubeconfig, mode))
  }
  const { lines, passed } = reportOf(measured)
  for (const line of lines) say(line)
  return passed ? 0 : 1
}

type Cluster = AsyncDisposable & { readonly kubeconfig: string }

function borrowed(kubeconfig: string): Cluster {
  return { kubeconfig, [Symbol.asyncDispose]: async () => undefined }
}

async function started(): Promise<Cluster> {
  const provider = PROVIDERS.find(({ rung }) => rung === 'embedded')
  if (!provider) throw new Error('there is no embedded rung')
  const name = `bench-${process.pid}`
  const { kubeconfig } = await provider.up({
    name,
    signal: ending.signal,
    progress: say,
    lifetime: 'command',
  })
  return { kubeconfig, [Symbol.asyncDispose]: () => provider.down(name) }
}

async function measure(kubeconfig: string, mode: Mode): Promise<Measured> {
  const api = connectApi(kubeconfig)
  const call = { signal: ending.signal }
  const namespace = `bench-${mode}-${process.pid}`
  await api.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, call)
  try {
    const before = await api.create(configMaps(namespace), poolOf(Number(options.entries)), call)
    const { stories, seconds } = await contend({ mode, kubeconfig, namespace })
    const after = await api.get<ConfigMap>(configMaps(namespace), CONFIG_MAP, call)
    return { mode, seconds, stories, faults: findFaults(mode, before, after, stories) }
  } finally {
    await api.delete(NAMESPACES, namespace, { signal: AbortSignal.timeout(30_000) })
  }
}

type Place = Pick<Task, 'mode' | 'kubeconfig' | 'namespace'>

/** The clock runs from the moment all processes are ready until the last one has told its stories. */
async function contend(place: Place): Promise<{ stories: Story[]; seconds: number }> {
  const workers = await Promise.all(tasksFor(place).map(readyWorker))
  const start = performance.now()
  const told = await Promise.all(workers.map((worker) => worker.run()))
  const seconds = (performance.now() - start) / 1000
  await Promise.all(workers.map((worker) => worker.end()))
  return { stories: told.flat(), seconds }
}

function tasksFor(place: Place): Task[] {
  const processes = Number(options.processes)
  const ids = Array.from({ length: Number(options.allocators) }, (_, at) => `bench-test-${at}`)
  return Array.from({ length: processes }, (_, at) => ({
    ...place,
    configMap: CONFIG_MAP,
    testIds: ids.filter((_id, index) => index % processes === at),
    deadlineMs: Number(options.deadline) * 1000,
  }))
}

interface Worker {
  run(): Promise<Story[]>
  end(): Promise<void>
}

async function readyWorker(task: Task): Promise<Worker> {
  const child = execaNode(WORKER, {
    ipc: true,
    cancelSignal: ending.signal,
    stdout: 'inherit',
    stderr: 'inherit',
  })
  await child.sendMessage({ ...task })
  await child.getOneMessage()
  return {
    run: async () => {
      const answer = child.getOneMessage()
      await child.sendMessage('go')
      return JSON.parse(String(await answer)) as Story[]
    },
    end: async () => void (await child),
  }
}

function poolOf(size: number): ConfigMap {
  const text =
    'status: available\nusername: Administrator\naddress-type: ip\nplatform: vsphere\n' +
    'test-id:\nallocated-at:\nlast-updated: 2026-03-31T12:00:00Z\n'
  const addresses = Array.from({ length: size }, (_, at) => `198.18.${Math.floor(at / 250)}.${at % 250}`)
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: CONFIG_MAP },
    data: Object.fromEntries(addresses.map((address) => [address, text])),
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
