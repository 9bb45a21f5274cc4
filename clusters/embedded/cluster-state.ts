import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessIdentity } from '../../src/process/process-identity.ts'
import type { ClusterDescription } from '../provider.ts'

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

function statePath(directory: string): string {
  return join(directory, 'state.json')
}
