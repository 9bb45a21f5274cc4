import { rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { UsageError } from '../../src/contract/errors.ts'
import { FolderError, makeFolder } from './make-folder.ts'

/** The folder of a rung's cluster: its state, kubeconfig and logs. Throws UsageError for what can't name a cluster. */
export function clusterDirectory(
  rung: string,
  name: string,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) {
    throw new UsageError(
      `"${name}" can't name a cluster: use up to 63 lower-case letters, digits and dashes, no dash at either end`,
    )
  }
  const state = environment.XDG_STATE_HOME
  // The XDG specification has a relative path ignored: it would be another folder from everywhere.
  const base =
    state && isAbsolute(state) ? join(state, 'poolwright') : join(homedir(), '.cache', 'poolwright')
  return join(base, 'clusters', rung, name)
}

/** Makes an empty folder for a new cluster. Throws a UsageError where there can be none. */
export async function createDirectory(directory: string): Promise<void> {
  await removeDirectory(directory)
  try {
    await makeFolder(directory, 0o700)
  } catch (error) {
    if (!(error instanceof FolderError)) throw error
    throw new UsageError(
      `no cluster can have the folder ${directory}: ${error.message}; XDG_STATE_HOME names the folder that clusters go to`,
    )
  }
}

export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true }).catch((error: NodeJS.ErrnoException) => {
    // Below a file there is nothing to remove.
    if (error.code !== 'ENOTDIR') throw error
  })
}
