import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Java } from './java.ts'

const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/allure', import.meta.url))
/** The first Java that can archive the classes of a program; an older one would not start with the option. */
const FIRST_JAVA = 13
/** Files of results: a few don't make the program load all its classes, and leaving the archive takes seconds. */
const ENOUGH = 500

/** How a Java program is started with an archive of its loaded classes, which saves a third of a short program's time. */
export interface ClassArchive {
  readonly options: readonly string[]
  /** After the program has ended well: keeps the archive that it may have left. */
  keep(): Promise<void>
  /** After it has not. */
  drop(): Promise<void>
}

/**
 * The first long run on a machine leaves the archive, later ones use it. It belongs to this very Java and these classes;
 * should they differ all the same, Java goes on without it.
 */
export async function classArchive(
  { version }: Java,
  classes: string,
  results: number,
): Promise<ClassArchive> {
  const nothing = async () => undefined
  if (!(Number(/version "(\d+)/.exec(version)?.[1]) >= FIRST_JAVA))
    return { options: [], keep: nothing, drop: nothing }
  const key = createHash('sha256').update(`${version}\n${classes}`).digest('hex').slice(0, 16)
  const archive = join(FOLDER, `${key}.jsa`)
  const quiet = ['-Xshare:auto', '-Xlog:disable', '-Xlog:all=off']
  if (existsSync(archive))
    return { options: [...quiet, `-XX:SharedArchiveFile=${archive}`], keep: nothing, drop: nothing }
  if (results < ENOUGH) return { options: [], keep: nothing, drop: nothing }
  await mkdir(FOLDER, { recursive: true })
  // Two runs at once must not write one file.
  const unfinished = join(FOLDER, `${key}.${process.pid}`)
  return {
    options: [...quiet, `-XX:ArchiveClassesAtExit=${unfinished}`],
    keep: () => rename(unfinished, archive).catch(nothing),
    drop: () => rm(unfinished, { force: true }),
  }
}
