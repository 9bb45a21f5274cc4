import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A folder can't be made; the message names the path in the way and why. */
export class FolderError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'FolderError'
  }
}

/**
 * Makes a folder and those above it, where they are missing. One by one: asked for all at once, Node never comes back
 * from a file system that takes no folders, such as /proc. Throws FolderError.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  for (const path of await missing(folder)) {
    await mkdir(path, { mode }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST')
        throw new FolderError(`no folder can be made in ${dirname(path)} (${error.code})`)
    })
  }
}

/** The folders to make, outermost first. */
async function missing(folder: string): Promise<readonly string[]> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error)
  if (!(found instanceof Error)) {
    if (found.isDirectory()) return []
    throw new FolderError(`${folder} is no folder`)
  }
  // Below a file; the file itself is named further up.
  if (found.code !== 'ENOENT' && found.code !== 'ENOTDIR')
    throw new FolderError(`${folder} can't be read (${found.code})`)
  return [...(await missing(dirname(folder))), folder]
}
