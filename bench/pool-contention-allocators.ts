import { setTimeout as delay } from 'node:timers/promises'
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import { connectApi } from '../src/api/connect.ts'
import type { KubernetesApi } from '../src/api/kubernetes-api.ts'
import { NAMESPACES } from '../src/api/resource-path.ts'
import { rewriteEntry } from '../src/pool/entry-rewrite.ts'
import { openJournal } from '../src/pool/journal.ts'
import { openPool } from '../src/pool/pool.ts'
import { viewPool } from '../src/pool/pool-view.ts'
import type { Counts, Task } from './pool-contention-task.ts'

const FIXED_DELAY_MS = 500

/** Takes one node, each on its own: nothing is combined with what others of the same process do. */
export type Allocate = (testId: string, counts: Counts) => Promise<string>

/** The way of allocating that a task compares, with its connection warm. */
export function allocatorOf(task: Task): Promise<Allocate> {
  return task.mode === 'baseline' ? wholeConfigMap(task) : pool({ ...task, mode: task.mode })
}

/** As a suite would first write it: the whole ConfigMap read, changed and put back; after a conflict 500 ms, and again. */
async function wholeConfigMap({
  kubeconfig,
  namespace,
  configMap: name,
  deadlineMs,
}: Task): Promise<Allocate> {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const core = config.makeApiClient(CoreV1Api)
  await core.readNamespace({ name: namespace })
  return async (testId, counts) => {
    const end = performance.now() + deadlineMs
    while (performance.now() < end) {
      counts.reads++
      const body = await core.readNamespacedConfigMap({ namespace, name })
      const view = viewPool({ data: body.data ?? {} })
      const entry = view.entries.find(({ status }) => status === 'available')
      const now = new Date().toISOString()
      const lease = { status: 'in-use', 'test-id': testId, 'allocated-at': now, 'last-updated': now }
      const text = entry && rewriteEntry(view.textOf(entry.address) ?? '', lease)
      if (!entry || !text) throw new Error('no node is available')
      body.data = { ...body.data, [entry.address]: text }
      counts.writes++
      try {
        await core.replaceNamespacedConfigMap({ namespace, name, body })
        return entry.address
      } catch (error) {
        if (!(error instanceof Error) || !('code' in error) || error.code !== 409) throw error
        await delay(FIXED_DELAY_MS)
      }
    }
    throw new Error('the deadline passed')
  }
}

async function pool(task: Task & { readonly mode: 'resource-version' | 'entry' }): Promise<Allocate> {
  const { kubeconfig, namespace, configMap, deadlineMs, mode: strategy } = task
  const api = connectApi(kubeconfig)
  const signal = AbortSignal.timeout(deadlineMs + 60_000)
  await api.get(NAMESPACES, namespace, { signal })
  return async (testId, counts) => {
    const context = { api: counted(api, counts), namespace, configMap, journal: openJournal(), signal }
    const { node } = await openPool(context).allocate({ testId, retry: { deadlineMs }, strategy })
    if (!node) throw new Error('no node came back')
    return node.address
  }
}

function counted(api: KubernetesApi, counts: Counts): KubernetesApi {
  return {
    ...api,
    get(...call) {
      counts.reads++
      return api.get(...call)
    },
    mergePatch(...call) {
      counts.writes++
      return api.mergePatch(...call)
    },
    jsonPatch(...call) {
      counts.writes++
      return api.jsonPatch(...call)
    },
  }
}
