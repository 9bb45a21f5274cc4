import { mkdtemp, readdir, rmdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FolderError, makeFolder } from '../../clusters/this-machine/make-folder.ts'
import { UsageError } from '../../src/contract/errors.ts'
import { reportPaths } from './reports.ts'

/** By any of these a folder is known for one of reports; the last three are other commands', for which it is made too. */
const OF_RUNS: ReadonlySet<string> = new Set([
  ...Object.values(reportPaths('')).map((path) => basename(path)),
  'run.lock',
  'checks',
  'vectors.json',
])

/**
 * Makes the folder that reports go to, and proves that files can be made in it. Throws a UsageError that names the path
 * which stands in the way.
 */
export async function makeReportsFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await proveWritable(folder)
    await proveOurs(folder)
  } catch (error) {
    if (!(error instanceof FolderError)) throw error
    throw new UsageError(
      `no reports can go to ${folder}: ${error.message}; name another folder with --reports`,
    )
  }
}

/** What a run removes, searches for secrets and rewrites must be of runs, never a home or a project by mistake. */
async function proveOurs(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new FolderError(`it can't be read (${error.code})`)
  })
  if (names.length === 0 || names.some((name) => OF_RUNS.has(name))) return
  throw new FolderError(`it holds other things than reports, such as ${names.toSorted()[0]}`)
}

async function proveWritable(folder: string): Promise<void> {
  const probe = await mkdtemp(join(folder, '.writable-')).catch((error: NodeJS.ErrnoException) => {
    throw new FolderError(`nothing can be made in it (${error.code})`)
  })
  await rmdir(probe)
}
