import { createHash } from 'node:crypto'
import { access, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../src/contract/errors.ts'
import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { TEST_POOL_LABEL } from '../../src/contract/names.ts'
import { KubeClient } from '../../src/kube/client.ts'
import {
  defaultKubeconfig,
  type KubeConnection,
  KubeconfigError,
  loadKubeconfig,
} from '../../src/kube/kubeconfig.ts'
import { listAll } from '../../src/kube/list.ts'
import { collectionPath } from '../../src/kube/paths.ts'
import { detectCapabilities } from '../detect-capabilities.ts'
import { capabilitiesOf, detectRoles } from '../detect-roles.ts'
import type {
  ClusterDescription,
  ClusterProvider,
  ClusterSettings,
  DownRequest,
  Limits,
  UpRequest,
} from '../provider.ts'
import { STANDS_IN_FOR } from '../stand-ins/stands-in-for.ts'
import { clusterDirectory } from '../this-machine/cluster-directory.ts'
import { whileLocked } from '../this-machine/name-lock.mjs'
import { markRun, refuseWhileUsed, unmarkRun } from '../this-machine/run-marks.ts'
import { writeConnection } from './connection-file.ts'

/** A cluster of somebody else's, on machines of somebody else's, may be slow. */
const LIMITS: Limits = { reaction: 60_000, step: 180_000 }
const STATUS_LIMIT_MS = 20_000

/** Any cluster that is there: used as it is found, never started, never ended. */
export const kubeconfig: ClusterProvider = {
  rung: 'kubeconfig',
  settings: ['context', 'kubeconfig', 'yes', 'workloadImage'],
  ownedByRun: false,
  up,
  status,
  down,
  release: (name, runId) => unmarkRun(directoryOf(name), runId),
}

async function up({ name, signal, settings = {}, confirm, runId }: UpRequest): Promise<ClusterDescription> {
  const connection = await connect(settings)
  const client = new KubeClient(connection)
  try {
    if (!settings.yes) await agree(settings, connection, await markedNodes(client, signal), confirm)
    // The last one that was named is what commands by hand go to; a run keeps to its own.
    await writeConnection(connectionPath(name), connection)
    const path = runId === undefined ? connectionPath(name) : await runPath(name, runId, signal)
    if (runId !== undefined) await writeConnection(path, connection)
    return await describe(name, path, client, signal, settings.workloadImage)
  } finally {
    client.close()
  }
}

/** Throws UsageError where no context is named: the current one may be any cluster at all. */
async function connect(settings: ClusterSettings): Promise<KubeConnection> {
  const path = settings.kubeconfig ?? defaultKubeconfig()
  if (settings.context === undefined)
    throw new UsageError(`Name the context of ${path} to run on with --context: none is taken for granted`)
  try {
    return await loadKubeconfig(path, settings.context)
  } catch (error) {
    if (error instanceof KubeconfigError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

async function markedNodes(client: KubeClient, signal: AbortSignal): Promise<string[]> {
  const { objects } = await listAll<KubernetesObject>(client, {
    path: collectionPath('v1', 'nodes'),
    labelSelector: TEST_POOL_LABEL,
    signal,
  })
  return objects.map(({ metadata }) => metadata?.name ?? '')
}

async function agree(
  { context }: ClusterSettings,
  { server }: KubeConnection,
  nodes: readonly string[],
  confirm: UpRequest['confirm'],
): Promise<void> {
  const marked = nodes.length > 0 ? nodes.join(', ') : 'none so far'
  const question = `Scenarios make namespaces and Nodes on ${server} (context ${context}), and may taint, cordon and drain the nodes labelled ${TEST_POOL_LABEL}: ${marked}.`
  if (!confirm) throw new UsageError(`${question} Nobody is there to confirm it: say --yes`)
  if (!(await confirm(`${question} Go on?`)))
    throw new UsageError('Not confirmed: nothing was done to the cluster')
}

async function describe(
  name: string,
  path: string,
  client: KubeClient,
  signal: AbortSignal,
  workloadImage?: string,
): Promise<ClusterDescription> {
  const [{ gitVersion }, fromApi, roles] = await Promise.all([
    client.get<{ gitVersion: string }>('/version', signal),
    detectCapabilities(client, signal),
    detectRoles(client, signal, workloadImage),
  ])
  return {
    rung: 'kubeconfig',
    name,
    kubeconfig: path,
    version: gitVersion,
    capabilities: [...fromApi, ...capabilitiesOf(roles)],
    roles,
    standIns: fromApi.includes('windows-stand-in') ? STANDS_IN_FOR : [],
    limits: LIMITS,
  }
}

async function status(name: string, settings?: ClusterSettings): Promise<ClusterDescription | undefined> {
  const path = settings ? await named(name, settings) : connectionPath(name)
  const known = await access(path).then(
    () => true,
    () => false,
  )
  if (!known) return undefined
  const client = new KubeClient(await loadKubeconfig(path))
  try {
    return await describe(name, path, client, AbortSignal.timeout(STATUS_LIMIT_MS))
  } finally {
    client.close()
  }
}

/** Forgets how to reach it; the cluster is not ours to end. */
async function down(
  name: string,
  { signal }: Pick<DownRequest, 'signal'> = { signal: AbortSignal.timeout(STATUS_LIMIT_MS) },
): Promise<void> {
  const directory = directoryOf(name)
  await whileLocked(directory, signal, async () => {
    await refuseWhileUsed(directory, name, 'forgotten')
    await rm(directory, { recursive: true, force: true })
  })
}

/** A run's own: another, on another context, may start before it has read it. */
async function runPath(name: string, runId: string, signal: AbortSignal): Promise<string> {
  const directory = directoryOf(name)
  return join(await whileLocked(directory, signal, () => markRun(directory, runId)), 'kubeconfig')
}

/** A file of its own: whatever runs meanwhile, on whatever cluster, this one leads where it was told to. */
async function named(name: string, settings: ClusterSettings): Promise<string> {
  const connection = await connect(settings)
  const which = createHash('sha256').update(`${connection.server} ${settings.context}`).digest('hex')
  const path = join(directoryOf(name), `${which.slice(0, 12)}.kubeconfig`)
  await writeConnection(path, connection)
  return path
}

function connectionPath(name: string): string {
  return join(directoryOf(name), 'kubeconfig')
}

function directoryOf(name: string): string {
  return clusterDirectory('kubeconfig', name)
}
