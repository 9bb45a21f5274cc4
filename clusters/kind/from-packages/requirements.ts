import { UsageError } from '../../../src/contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import { type DebianRequest, requireDebootstrap } from './debian.ts'
import { nodeBinary } from './node-runtime.ts'
import { type Missing, requireRoom, roomFor } from './room.ts'

/**
 * Throws UsageError where what is missing can't be built on this machine: before minutes of compiling, not after them.
 * Debootstrap is installed where that is allowed.
 */
export async function requireBuildMachine(
  missing: Missing,
  engine: Engine,
  services: Pick<DebianRequest, 'root' | 'installPrograms'>,
): Promise<void> {
  const { programs, trees, images, nodeImage } = missing
  if (programs.length + trees + images === 0 && !nodeImage) return
  if (process.platform !== 'linux')
    throw new UsageError(
      'Images are built from packages on Linux alone: their programs run in it. Pull them, or load archives that were built there (--images)',
    )
  if (trees > 0) await requireDebootstrap(services)
  if (images > 0) await nodeBinary()
  await requireRoom(roomFor(missing), engine)
}
