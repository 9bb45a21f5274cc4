import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../../src/contract/errors.ts'
import { FolderError, makeFolder } from '../../this-machine/make-folder.ts'

/**
 * Makes an empty folder with a name of its own in one of the user's cache, which is made where it is missing. Throws
 * UsageError where nothing can be written there.
 */
export async function makeScratch(folder: string, prefix: string): Promise<string> {
  try {
    await makeFolder(folder)
    return await mkdtemp(join(folder, prefix))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined && !(error instanceof FolderError)) throw error
    throw new UsageError(
      `nothing can be kept in ${folder}: ${code ?? message}; XDG_CACHE_HOME names the folder that caches go to`,
      { cause: error },
    )
  }
}
