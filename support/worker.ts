import type { Implementation } from '../src/contract/implementation.ts'
import { agentFor } from '../src/kube/agent.ts'
import { KubeClient } from '../src/kube/client.ts'
import { type KubeConnection, loadKubeconfig } from '../src/kube/kubeconfig.ts'
import { rememberSecret } from './evidence/redact.ts'
import { loadImplementation } from './implementation.ts'
import type { Upstream } from './interference/upstream.ts'
import { type RunContext, readRunContext } from './run-context.ts'
import { type Holder, thisHolder } from './safety/holder.ts'
import { type NodeSwitch, nodeSwitchOf } from './safety/node-switch.ts'
import { ScratchNamespaces } from './scratch-namespaces.ts'
import { Feeds } from './windows-feed.ts'

/** What all scenarios of one worker share: nothing of it remembers a scenario. */
export interface Worker {
  readonly run: RunContext
  /** `0` where Cucumber runs serially. */
  readonly id: string
  /** This worker, as it tells others that it changes the cluster. */
  readonly holder: Holder
  /** Absent where nodes are somebody else's to switch. */
  readonly nodes: NodeSwitch | undefined
  /** Path of this worker's kubeconfig: straight to the API, with nobody in between. */
  readonly kubeconfig: string
  readonly kube: KubeClient
  readonly upstream: Upstream
  readonly feeds: Feeds
  readonly implementation: Implementation
  readonly namespaces: ScratchNamespaces
}

let opened: Promise<Worker> | undefined

/** Opens this worker's clients once; each later call answers the same ones. */
export function openWorker(): Promise<Worker> {
  opened ??= open()
  return opened
}

/** Removes the worker's namespaces, which may take so many milliseconds, and ends its kept connections. */
export async function closeWorker(goneWithinMs: number): Promise<void> {
  const worker = await opened
  try {
    await worker?.namespaces.removeAll(goneWithinMs)
  } finally {
    worker?.feeds.close()
    worker?.kube.close()
    worker?.upstream.agent.destroy()
    opened = undefined
  }
}

async function open(): Promise<Worker> {
  const run = readRunContext()
  const id = process.env.CUCUMBER_WORKER_ID ?? '0'
  const kubeconfig = run.kubeconfigs[Number(id) % run.kubeconfigs.length]
  if (kubeconfig === undefined) throw new Error(`the run context names no kubeconfig for worker ${id}`)
  const connection = await loadKubeconfig(kubeconfig)
  for (const secret of [connection.token, connection.clientKey]) if (secret) rememberSecret(secret)
  const implementation = await loadImplementation(run.implementation)
  const kube = new KubeClient(connection)
  const holder = thisHolder(run.runId, id)
  return {
    run,
    id,
    holder,
    nodes: nodeSwitchOf(run.rung, run.cluster),
    kubeconfig,
    kube,
    upstream: upstreamOf(connection),
    feeds: new Feeds(kube),
    implementation,
    namespaces: new ScratchNamespaces({ kube, run: run.runId, holder }),
  }
}

function upstreamOf(connection: KubeConnection): Upstream {
  const headers: Record<string, string> = connection.token
    ? { authorization: `Bearer ${connection.token}` }
    : {}
  return { server: connection.server, agent: agentFor(connection), headers: async () => headers }
}
