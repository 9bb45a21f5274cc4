import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from '../../../src/contract/errors.ts'
import { userCache } from '../../this-machine/user-cache.ts'
import type { Engine } from '../engine/engine.ts'
import { FAMILIES, type ProgramFamily } from './programs.ts'

const GIBIBYTE = 1024 ** 3
/** Modules, compiled packages and programs of all families: 10 GB of caches were seen. */
const PROGRAMS_BYTES = 13 * GIBIBYTE
/** Go's own packages, which the smallest program needs. */
const FIRST_PROGRAM_BYTES = GIBIBYTE
/** A tree beside its archive. */
const TREE_BYTES = GIBIBYTE
/** An image's files on their way into the engine, and what the engine makes of them. */
const IMAGE_BYTES = GIBIBYTE
/** The same of the node image, with all that is inside it, and the nodes made from it. */
const NODE_IMAGE_BYTES = { cache: 2 * GIBIBYTE, engine: 10 * GIBIBYTE } as const
/** The largest link step with the compilers beside it; programs of our own are small. */
const MEMORY_BYTES = { ours: GIBIBYTE, others: 3 * GIBIBYTE } as const

/** What a build has still to make. */
export interface Missing {
  readonly programs: readonly ProgramFamily[]
  /** How many. */
  readonly trees: number
  /** How many besides the node image. */
  readonly images: number
  readonly nodeImage: boolean
}

/** Bytes that a build needs while it runs. */
export interface Room {
  readonly cache: number
  readonly engine: number
  readonly memory: number
}

/** What this machine has; bytes. */
export interface RoomyMachine {
  /** Which file system a folder is on, or would be, and how much is free there. */
  disk(folder: string): Promise<{ readonly device: number; readonly free: number }>
  /** For programs that start now. */
  freeMemory(): number
}

export function roomFor({ programs, trees, images, nodeImage }: Missing): Room {
  const all = sum(FAMILIES)
  // What Go keeps grows with what there is to compile.
  const forPrograms = programs.length > 0 ? FIRST_PROGRAM_BYTES + (PROGRAMS_BYTES * sum(programs)) / all : 0
  const memory = programs.some(({ ownSource }) => !ownSource)
    ? MEMORY_BYTES.others
    : programs.length > 0
      ? MEMORY_BYTES.ours
      : 0
  return {
    cache: forPrograms + trees * TREE_BYTES + images * IMAGE_BYTES + (nodeImage ? NODE_IMAGE_BYTES.cache : 0),
    engine: images * IMAGE_BYTES + (nodeImage ? NODE_IMAGE_BYTES.engine : 0),
    memory,
  }
}

/** Throws UsageError before a build that would fill a disk or the memory half-way. */
export async function requireRoom(
  { cache, engine, memory }: Room,
  { dataRoot }: Pick<Engine, 'dataRoot'>,
  machine: RoomyMachine = thisMachine,
): Promise<void> {
  const needs = [{ folder: userCache(), bytes: cache, what: 'the build\u2019s caches' }]
  // An engine on another machine has a disk of its own.
  if (existsSync(dataRoot)) needs.push({ folder: dataRoot, bytes: engine, what: 'the engine\u2019s images' })
  const disks = await Promise.all(needs.map(({ folder }) => machine.disk(folder)))
  for (const { device, free } of disks) {
    const here = needs.filter(({ bytes }, index) => disks[index]?.device === device && bytes > 0)
    const bytes = here.reduce((total, need) => total + need.bytes, 0)
    if (bytes <= free) continue
    const what = here.map((need) => `${need.what} in ${need.folder}`).join(' and ')
    throw new UsageError(
      `Building from packages needs ${inGibibytes(bytes)} of disk for ${what}; there are ${inGibibytes(free)} free`,
    )
  }
  const free = machine.freeMemory()
  if (free < memory)
    throw new UsageError(
      `Building from packages needs ${inGibibytes(memory)} of free memory; this machine has ${inGibibytes(free)}`,
    )
}

const thisMachine: RoomyMachine = {
  async disk(folder) {
    const there = nearest(folder)
    const [{ dev }, { bavail, bsize }] = await Promise.all([stat(there), statfs(there)])
    return { device: dev, free: bavail * bsize }
  },
  // Less where a container's limit says so.
  freeMemory: () => process.availableMemory(),
}

/** The folder itself, or the first above it that is there. */
function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder))
}

function sum(families: readonly ProgramFamily[]): number {
  return families.reduce((total, { estimate }) => total + estimate, 0)
}

function inGibibytes(bytes: number): string {
  return `${(bytes / GIBIBYTE).toFixed(1)} GiB`
}
