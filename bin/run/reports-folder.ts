import { mkdtemp, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FolderError, makeFolder } from '../../clusters/embedded/make-folder.ts'
import { UsageError } from '../../src/contract/errors.ts'

/**
 * Makes the folder that reports go to, and proves that files can be made in it. Throws a UsageError that names the path
 * which stands in the way.
 */
export async function makeReportsFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await proveWritable(folder)
  } catch (error) {
    if (!(error instanceof FolderError)) throw error
    throw new UsageError(
      `no reports can go to ${folder}: ${error.message}; name another folder with --reports`,
    )
  }
}

async function proveWritable(folder: string): Promise<void> {
  const probe = await mkdtemp(join(folder, '.writable-')).catch((error: NodeJS.ErrnoException) => {
    throw new FolderError(`nothing can be made in it (${error.code})`)
  })
  await rmdir(probe)
}
