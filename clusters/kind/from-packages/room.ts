import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { freemem } from 'node:os'
import { dirname } from 'node:path'
import { UsageError } from '../../../src/contract/errors.ts'
import { userCache } from '../../user-cache.ts'
import type { Engine } from '../engine/engine.ts'

const GIBIBYTE = 1024 ** 3
/** Modules, compiled packages and programs: 10 GB of caches were seen. */
const CACHE_BYTES = 15 * GIBIBYTE
/** Images on their way and the nodes made from them. */
const ENGINE_BYTES = 10 * GIBIBYTE
/** The largest link step with the compilers beside it. */
const MEMORY_BYTES = 3 * GIBIBYTE

/** Throws UsageError before a build that would fill a disk or the memory half-way. */
export async function requireRoom({ dataRoot }: Pick<Engine, 'dataRoot'>): Promise<void> {
  await requireDisk(userCache(), CACHE_BYTES, 'the build’s caches')
  // An engine on another machine has a disk of its own.
  if (existsSync(dataRoot)) await requireDisk(dataRoot, ENGINE_BYTES, 'the engine’s images')
  const free = freemem()
  if (free < MEMORY_BYTES)
    throw new UsageError(
      `Building from packages needs ${inGibibytes(MEMORY_BYTES)} of free memory; this machine has ${inGibibytes(free)}`,
    )
}

async function requireDisk(folder: string, bytes: number, what: string): Promise<void> {
  const { bavail, bsize } = await statfs(nearest(folder))
  if (bavail * bsize >= bytes) return
  throw new UsageError(
    `Building from packages needs ${inGibibytes(bytes)} of disk for ${what} in ${folder}; it has ${inGibibytes(bavail * bsize)} free`,
  )
}

/** The folder itself, or the first above it that is there. */
function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder))
}

function inGibibytes(bytes: number): string {
  return `${(bytes / GIBIBYTE).toFixed(1)} GiB`
}
