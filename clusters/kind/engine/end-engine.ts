import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { identify, type ProcessIdentity } from '../../../src/process/process-identity.ts'
import { containerdNamespace } from './daemon-config.ts'
import type { EngineFolders } from './engine-folders.ts'
import { endProcesses, engineProcesses } from './engine-processes.ts'
import { thawFrozen } from './thaw-frozen.ts'

/** dockerd gives its containers 15 s to stop. */
const STOP_LIMIT_MS = 30_000
const CONTAINERD_LIMIT_MS = 10_000
/** Where a containerd keeps what runs, below its state folder. */
const TASKS = 'io.containerd.runtime.v2.task'
const SYSTEM_CONTAINERD = '/run/containerd'
const UNMOUNT_LIMIT_MS = 30_000

/**
 * Ends what our own engine consists of, whether it runs, hangs or was killed, and proves that it is gone; its data
 * stays. Call it with the engine's lock.
 */
export async function endEngine(folders: EngineFolders, stopLimitMs: number = STOP_LIMIT_MS): Promise<void> {
  await endProcesses(await engineProcesses(folders, 'dockerd'), stopLimitMs)
  await endProcesses(await engineProcesses(folders, 'containerd'), CONTAINERD_LIMIT_MS)
  // What follows is there only if dockerd couldn't do it.
  await endContainers(folders)
  await endProcesses(await engineProcesses(folders, 'shim'), CONTAINERD_LIMIT_MS, 'SIGKILL')
  await unmountBelow([folders.run, folders.dataRoot])
  await rm(folders.run, { recursive: true, force: true })
}

async function endContainers(folders: EngineFolders): Promise<void> {
  for (const tasks of await taskFolders(folders)) await endContainersOf(tasks)
}

/** All of our own containerd, and in the machine's the namespace that is ours. */
async function taskFolders(folders: EngineFolders): Promise<string[]> {
  const own = join(folders.execRoot, 'containerd', 'daemon', TASKS)
  const namespaces = await readdir(own).catch(() => [])
  return [
    ...namespaces.map((namespace) => join(own, namespace)),
    join(SYSTEM_CONTAINERD, TASKS, containerdNamespace(folders)),
  ]
}

async function endContainersOf(tasks: string): Promise<void> {
  for (const containerId of await readdir(tasks).catch(() => [])) {
    const first = await firstProcess(join(tasks, containerId), containerId)
    if (!first) continue
    const ending = endProcesses([first], CONTAINERD_LIMIT_MS, 'SIGKILL')
    await thawFrozen(containerId)
    await ending
  }
}

/** A container ends with its first process. Its number may belong to another by now, which is in no such cgroup. */
async function firstProcess(folder: string, containerId: string): Promise<ProcessIdentity | undefined> {
  const pid = Number(await readFile(join(folder, 'init.pid'), 'utf8').catch(() => ''))
  if (!(pid > 1)) return undefined
  const cgroups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')
  return cgroups.includes(containerId) ? identify(pid) : undefined
}

async function unmountBelow(folders: readonly string[]): Promise<void> {
  const mounts = await mountPoints()
  // dockerd mounts the data root onto itself, and leaves that.
  const below = mounts.filter((mount) => folders.some((folder) => `${mount}/`.startsWith(`${folder}/`)))
  // The last mounted lies on top of what was before.
  for (const mount of below.reverse()) {
    const { failed, all } = await execa('umount', ['--lazy', mount], {
      all: true,
      reject: false,
      stdin: 'ignore',
      timeout: UNMOUNT_LIMIT_MS,
    })
    if (failed) throw new Error(`${mount} can't be unmounted: ${all}`)
  }
}

/** proc(5): the fifth field of mountinfo, in which blanks are written in octal. */
async function mountPoints(): Promise<string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  return text
    .trimEnd()
    .split('\n')
    .map((line) =>
      (line.split(' ')[4] ?? '').replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8))),
    )
}
