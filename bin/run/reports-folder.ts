import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UsageError } from '../../src/contract/errors.ts'

/**
 * Makes the folder that reports go to, and proves that files can be made in it. Throws a UsageError that names the path
 * which stands in the way.
 */
export async function makeReportsFolder(folder: string): Promise<void> {
  const refuse = (why: string): never => {
    throw new UsageError(`no reports can go to ${folder}: ${why}; name another folder with --reports`)
  }
  // One by one: asked for all at once, Node never comes back from a file system that takes no folders, such as /proc.
  for (const path of await missing(folder, refuse)) {
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') refuse(`no folder can be made in ${dirname(path)} (${error.code})`)
    })
  }
  const probe = await mkdtemp(join(folder, '.writable-')).catch((error: NodeJS.ErrnoException) =>
    refuse(`nothing can be made in it (${error.code})`),
  )
  await rmdir(probe)
}

/** The folders to make, outermost first. */
async function missing(folder: string, refuse: (why: string) => never): Promise<readonly string[]> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error)
  if (!(found instanceof Error)) return found.isDirectory() ? [] : refuse(`${folder} is no folder`)
  // Below a file; the file itself is named further up.
  if (found.code !== 'ENOENT' && found.code !== 'ENOTDIR')
    return refuse(`${folder} can't be read (${found.code})`)
  return [...(await missing(dirname(folder), refuse)), folder]
}
