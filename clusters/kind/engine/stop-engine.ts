import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from '../../../src/contract/errors.ts'
import { whileLocked } from '../../this-machine/name-lock.mjs'
import { endEngine } from './end-engine.ts'
import { type EngineFolders, engineFolders } from './engine-folders.ts'
import { engineProcesses } from './engine-processes.ts'
import { liftFence } from './network-fence.ts'
import { engineLock } from './start-engine.ts'

export interface StopEngineRequest {
  /** Our folder in the user's cache. Default: the usual one. */
  readonly cacheFolder?: string
  readonly signal: AbortSignal
}

/** Ends our own engine with all its containers; images and containers stay on disk. False where none was running. */
export async function stopEngine({ cacheFolder, signal }: StopEngineRequest): Promise<boolean> {
  const folders = engineFolders(cacheFolder)
  return whileLocked(engineLock(folders), signal, () => stop(folders))
}

/** Ends our own engine and frees the disk it took, images and all. False where nothing of it was there. */
export async function removeEngine({ cacheFolder, signal }: StopEngineRequest): Promise<boolean> {
  const folders = engineFolders(cacheFolder)
  const engine = dirname(folders.dataRoot)
  return whileLocked(engineLock(folders), signal, async () => {
    if (!existsSync(engine)) return stop(folders)
    await stop(folders)
    await rm(engine, { recursive: true, force: true, maxRetries: 5 })
    return true
  })
}

/** Where its folder is gone something may still be mounted in what it left: all is looked at. */
async function stop(folders: EngineFolders): Promise<boolean> {
  // Its folders may be gone from under it.
  const ran = existsSync(folders.run) || (await engineProcesses(folders, 'dockerd')).length > 0
  if (!ran && !existsSync(folders.dataRoot)) return false
  if (process.getuid?.() !== 0)
    throw new UsageError('Only root may stop or remove the container engine of our own')
  await endEngine(folders)
  await liftFence(folders)
  return ran
}
