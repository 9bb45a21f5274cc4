import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { UsageError } from '../../src/contract/errors.ts'
import type { ClusterDescription } from '../provider.ts'
import { FolderError, makeFolder } from './make-folder.ts'
import type { ProcessIdentity } from './process-identity.ts'

/** What a supervisor says about its cluster, in a file that only this user can read. */
export interface ClusterState {
  readonly supervisor: ProcessIdentity
  readonly children: readonly ChildState[]
  /** Present from the moment everything is ready. */
  readonly description?: ClusterDescription
  /** Why it is unhealthy: what ended, and the last it said. */
  readonly failure?: string
}

export interface ChildState extends ProcessIdentity {
  readonly name: string
}

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

export function kubeconfigPath(directory: string): string {
  return join(directory, 'kubeconfig')
}

export function logPath(directory: string, child: string): string {
  return join(directory, `${child}.log`)
}

/** Undefined where there is no cluster, or only the remains of one that never got far. */
export async function readState(directory: string): Promise<ClusterState | undefined> {
  const text = await readFile(statePath(directory), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as ClusterState)
}

/** Whole or not at all: a reader never sees half of it. */
export async function writeState(directory: string, state: ClusterState): Promise<void> {
  const next = `${statePath(directory)}.next`
  await writeFile(next, JSON.stringify(state, undefined, 2), { mode: 0o600 })
  await rename(next, statePath(directory))
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

function statePath(directory: string): string {
  return join(directory, 'state.json')
}
