import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { lives, type ProcessIdentity, signalProcess } from '../../src/process/process-identity.ts'
import type { ClusterDescription, ClusterProvider, UpRequest } from '../provider.ts'
import { clusterDirectory, createDirectory, removeDirectory } from '../this-machine/cluster-directory.ts'
import { whileLocked } from '../this-machine/name-lock.mjs'
import { type ClusterState, logPath, readState } from './cluster-state.ts'
import type { SupervisorMessage, SupervisorRequest } from './supervisor.ts'

/** Milliseconds from the start of a supervisor until its cluster serves, on a very busy machine. */
const UP_LIMIT_MS = 60_000
/** Milliseconds that a supervisor gets to end its children and itself before it is killed. */
const DOWN_LIMIT_MS = 5_000

/** The control plane of our own: in memory, on loopback, ready in well under a second. */
export const embedded: ClusterProvider = {
  rung: 'embedded',
  settings: [],
  ownedByRun: true,
  up,
  status,
  down,
}

function directoryOf(name: string): string {
  return clusterDirectory('embedded', name)
}

async function up(request: UpRequest): Promise<ClusterDescription> {
  const directory = directoryOf(request.name)
  return whileLocked(directory, request.signal, async () => {
    const found = await status(request.name)
    if (found) return found
    await end(directory)
    await createDirectory(directory)
    return start({ name: request.name, directory, lifetime: request.lifetime }, request)
  })
}

async function status(name: string): Promise<ClusterDescription | undefined> {
  const state = await readState(directoryOf(name))
  if (!state || !(await lives(state.supervisor))) return undefined
  if (state.failure !== undefined) {
    throw new Error(
      `Cluster ${name} is unhealthy: end it with "poolwright cluster down --name ${name}". ${state.failure}`,
    )
  }
  return state.description
}

async function down(name: string): Promise<void> {
  const directory = directoryOf(name)
  await whileLocked(directory, AbortSignal.timeout(UP_LIMIT_MS), () => end(directory))
}

async function end(directory: string): Promise<void> {
  const state = await readState(directory)
  if (state) await endSupervisor(state)
  await clearRemains(directory)
}

async function endSupervisor({ supervisor }: ClusterState): Promise<void> {
  await signalProcess(supervisor, 'SIGTERM')
  if (await endsWithin(supervisor, DOWN_LIMIT_MS)) return
  await signalProcess(supervisor, 'SIGKILL')
  if (!(await endsWithin(supervisor, DOWN_LIMIT_MS))) {
    throw new Error(`The cluster's supervisor, process ${supervisor.pid}, does not end`)
  }
}

/** What a supervisor that was killed may have left: children where the system can't end them with it, and its folder. */
async function clearRemains(directory: string): Promise<void> {
  for (const child of (await readState(directory))?.children ?? []) {
    await signalProcess(child, 'SIGKILL')
    if (!(await endsWithin(child, DOWN_LIMIT_MS))) {
      throw new Error(`The cluster's ${child.name}, process ${child.pid}, does not end`)
    }
  }
  await removeDirectory(directory)
}

/** A process that isn't our child can't be waited for, only looked at. */
async function endsWithin(identity: ProcessIdentity, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (await lives(identity)) {
    if (Date.now() > deadline) return false
    await delay(10)
  }
  return true
}

async function start(
  request: SupervisorRequest,
  { signal, progress }: UpRequest,
): Promise<ClusterDescription> {
  signal.throwIfAborted()
  const program = fileURLToPath(new URL('./supervisor.ts', import.meta.url))
  const supervisor = spawn(process.execPath, [program, JSON.stringify(request)], {
    detached: true,
    stdio: ['ignore', 'ignore', openSync(logPath(request.directory, 'supervisor'), 'a', 0o600), 'ipc'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<ClusterDescription>()
  const ended = once(supervisor, 'exit')
  const limited = AbortSignal.any([signal, AbortSignal.timeout(UP_LIMIT_MS)])
  const giveUp = () => reject(limited.reason)
  limited.addEventListener('abort', giveUp)
  supervisor.on('message', (message: SupervisorMessage) => {
    if (message.type === 'progress') progress(message.line)
    if (message.type === 'ready') resolve(message.description)
    if (message.type === 'failed') reject(new Error(message.message))
  })
  ended.then(([code, how]) => reject(new Error(`The supervisor ended with ${how ?? `code ${code}`}`)), reject)
  try {
    const description = await promise
    // From here on it lives by itself; with lifetime 'command' the open channel tells it when this process ends.
    if (request.lifetime === 'detached') supervisor.disconnect()
    supervisor.channel?.unref()
    supervisor.unref()
    return description
  } catch (error) {
    supervisor.kill('SIGTERM')
    await ended.catch(() => undefined)
    throw error
  } finally {
    limited.removeEventListener('abort', giveUp)
  }
}
