import { UsageError } from '../../../src/contract/errors.ts'
import { whileLocked } from '../../embedded/name-lock.mjs'
import { findProgram } from '../../find-program.ts'
import type { Engine } from './engine.ts'
import { type EngineFolders, engineFolders } from './engine-folders.ts'
import { findEngine, lookForEngine, noEngineError } from './find-engine.ts'
import { launchEngine } from './launch-engine.ts'
import { fenceOwnNetworks } from './network-fence.ts'

/** In this order: newer distributions pack docker's command line apart from its engine, older ones together. */
const ENGINE_PROGRAMS = ['dockerd', 'docker'] as const
export type EngineProgramName = (typeof ENGINE_PROGRAMS)[number]

export interface StartEngineRequest {
  /** Our folder in the user's cache, where the engine keeps its images. Default: the usual one. */
  readonly cacheFolder?: string
  readonly signal: AbortSignal
  /** One line per thing done, for people. */
  readonly progress: (line: string) => void
  /** Installs what brings these programs, where that is allowed; what is still missing then is said here. */
  readonly systemPackages: (programs: readonly EngineProgramName[]) => Promise<unknown>
}

/**
 * The engine that answers, else our own: installed where that is allowed and started, for good: it outlives this
 * process. Throws UsageError where neither can be.
 */
export async function startEngine(request: StartEngineRequest): Promise<Engine> {
  const { signal, progress } = request
  const folders = engineFolders(request.cacheFolder)
  const found = await lookForEngine(signal, folders)
  if (!('reason' in found)) return fencedIn(found, signal)
  if (namesAnother(folders)) {
    throw new UsageError(`${found.reason}; DOCKER_HOST names it: start it, or unset DOCKER_HOST`)
  }
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw noEngineError(found)
  return whileLocked(
    engineLock(folders),
    signal,
    async () => {
      // Another process may have started one meanwhile, and installing one may have started it.
      if (!('reason' in (await lookForEngine(signal, folders))))
        return fencedIn(await findEngine(signal, folders), signal)
      const installed = await installPrograms(request)
      if (!installed || 'reason' in (await lookForEngine(signal, folders))) {
        await launchEngine(folders, signal, progress)
      }
      return fencedIn(await findEngine(signal, folders), signal)
    },
    () => progress('another process is starting the container engine; waiting for it'),
  )
}

/** The engine is started, stopped and removed by one process at a time. */
export function engineLock({ run }: EngineFolders): string {
  return `container engine ${run}`
}

function namesAnother({ socket }: EngineFolders): boolean {
  const named = process.env.DOCKER_HOST
  return Boolean(named) && named !== `unix://${socket}`
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
async function fencedIn(engine: Engine, signal: AbortSignal): Promise<Engine> {
  if (engine.ours && process.getuid?.() === 0) await fenceOwnNetworks(signal)
  return engine
}
