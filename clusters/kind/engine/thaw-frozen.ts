import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FREEZER = '/sys/fs/cgroup/freezer'
/** A cgroup of version 1 lies as deep as its container's: the engine's parent, the node, its kubelet's, a pod's, a container's. */
const DEEPEST = 12

/**
 * Thaws what is frozen in a container's cgroups, its own and those below, and answers how many were. A sandbox that
 * crashes again and again can leave `runc init` frozen in a node, and a frozen process takes no signal: the engine then
 * can't remove the node ("did not receive an exit event"). Only cgroup version 1 has this; a killed process of
 * version 2 dies frozen as well.
 */
export async function thawFrozen(containerId: string, freezer: string = FREEZER): Promise<number> {
  if (!/^[0-9a-f]{12,64}$/.test(containerId)) {
    throw new TypeError(`expected a container's full id in hexadecimal, found "${containerId}"`)
  }
  let thawed = 0
  for (const folder of await foldersOf(containerId, freezer, DEEPEST)) thawed += await thaw(folder)
  return thawed
}

/** The container's cgroup, wherever the engine's parent is. */
async function foldersOf(containerId: string, folder: string, depth: number): Promise<string[]> {
  const found: string[] = []
  for (const name of await subfolders(folder)) {
    if (name.startsWith(containerId)) found.push(join(folder, name))
    else if (depth > 0) found.push(...(await foldersOf(containerId, join(folder, name), depth - 1)))
  }
  return found
}

/** From the top: what lies in a frozen one stays frozen. */
async function thaw(folder: string): Promise<number> {
  const state = join(folder, 'freezer.state')
  const frozen = /^FR/.test(await readFile(state, 'utf8').catch(() => ''))
  if (frozen) await writeFile(state, 'THAWED').catch(ignoreGone)
  let thawed = frozen ? 1 : 0
  for (const name of await subfolders(folder)) thawed += await thaw(join(folder, name))
  return thawed
}

async function subfolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** A cgroup goes with its last process. */
function ignoreGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT' && error.code !== 'ENODEV') throw error
}
