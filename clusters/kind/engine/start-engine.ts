import { setTimeout as delay } from 'node:timers/promises'
import { UsageError } from '../../../src/contract/errors.ts'
import { findProgram } from '../../this-machine/find-program.ts'
import { whileLocked } from '../../this-machine/name-lock.mjs'
import type { Engine } from './engine.ts'
import { type EngineFolders, engineFolders } from './engine-folders.ts'
import { findEngine, lookForEngine, type NoEngine, noEngineError } from './find-engine.ts'
import { launchEngine } from './launch-engine.ts'
import { fenceNetworks } from './network-fence.ts'

/** In this order: newer distributions pack docker's command line apart from its engine, older ones together. */
const ENGINE_PROGRAMS = ['dockerd', 'docker'] as const
export type EngineProgramName = (typeof ENGINE_PROGRAMS)[number]

const BUSY_LIMIT_MS = 60_000
const LOOK_AGAIN_MS = 500

export interface StartEngineRequest {
  /** Our folder in the user's cache, where the engine keeps its images. Default: the usual one. */
  readonly cacheFolder?: string
  readonly signal: AbortSignal
  /** One line per thing done, for people. */
  readonly progress: (line: string) => void
  /** Installs what brings these programs, where that is allowed; what is still missing then is said here. */
  readonly systemPackages: (programs: readonly EngineProgramName[]) => Promise<unknown>
  /** Milliseconds an engine may take to answer. Default: 15 seconds. */
  readonly answerLimitMs?: number
  /** Milliseconds after which one that runs and says nothing is given up. Default: a minute. */
  readonly busyLimitMs?: number
}

/**
 * The engine that answers, else our own: installed where that is allowed and started, for good: it outlives this
 * process. Throws UsageError where neither can be.
 */
export async function startEngine(request: StartEngineRequest): Promise<Engine> {
  const { signal, progress } = request
  const folders = engineFolders(request.cacheFolder)
  const found = await lookWhileBusy(request, folders)
  if (!('reason' in found)) return fencedIn(found, folders, signal)
  refuseToReplace(found)
  return whileLocked(
    engineLock(folders),
    signal,
    async () => {
      // Another process may have started one meanwhile, and installing one may have started it.
      let there = await lookWhileBusy(request, folders)
      if ('reason' in there && (await installPrograms(request))) there = await lookWhileBusy(request, folders)
      if ('reason' in there) {
        refuseToReplace(there)
        await launchEngine(folders, signal, progress)
      }
      return fencedIn(await findEngine(signal, folders), folders, signal)
    },
    () => progress('another process is starting the container engine; waiting for it'),
  )
}

/** The engine is started, stopped and removed by one process at a time. */
export function engineLock({ run }: EngineFolders): string {
  return `container engine ${run}`
}

/** One that runs and says nothing gets more time: somebody may be at work on it, with all that it has. */
async function lookWhileBusy(
  { signal, progress, answerLimitMs, busyLimitMs = BUSY_LIMIT_MS }: StartEngineRequest,
  folders: EngineFolders,
): Promise<Engine | NoEngine> {
  const deadline = performance.now() + busyLimitMs
  for (let told = false; ; told = true) {
    const found = await lookForEngine(signal, folders, answerLimitMs)
    if (!('reason' in found) || found.missing !== 'time' || performance.now() > deadline) return found
    if (!told) progress(`${found.reason}; one runs there, so waiting for it`)
    await delay(LOOK_AGAIN_MS, undefined, { signal })
  }
}

/** Throws UsageError unless one of our own may be started: no engine runs, nobody chose another, and we may. */
function refuseToReplace(found: NoEngine): void {
  const startable = found.missing === 'docker' || found.missing === 'answer'
  const may = process.platform === 'linux' && process.getuid?.() === 0
  if (!startable || !may || found.chosenBy !== undefined) throw noEngineError(found)
}

/** True where something was missing. */
async function installPrograms({ systemPackages }: StartEngineRequest): Promise<boolean> {
  const missing = ENGINE_PROGRAMS.filter((program) => !findProgram(program))
  for (const program of missing) if (!findProgram(program)) await systemPackages([program])
  for (const program of [...ENGINE_PROGRAMS, 'iptables']) {
    if (findProgram(program)) continue
    throw new UsageError(
      `No container engine answers, and one of our own can't be started without ${program}: install Docker (https://docs.docker.com/engine/install; on Debian or Ubuntu: apt-get install docker.io)`,
    )
  }
  return missing.length > 0
}

/** What is not ours has rules of its own. */
async function fencedIn(engine: Engine, folders: EngineFolders, signal: AbortSignal): Promise<Engine> {
  if (engine.ours && process.getuid?.() === 0) await fenceNetworks(folders, signal)
  return engine
}
