import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  identify,
  lives,
  type ProcessIdentity,
  signalProcess,
} from '../../../src/process/process-identity.ts'
import { containerdNamespace } from './daemon-config.ts'
import type { EngineFolders } from './engine-folders.ts'

/** The programs an engine consists of; each names a file of its run folder on its command line. */
export type EngineProgram = 'dockerd' | 'containerd' | 'shim'

const PROGRAMS: readonly { readonly program: EngineProgram; readonly name: RegExp }[] = [
  { program: 'dockerd', name: /^dockerd$/ },
  { program: 'containerd', name: /^(?:docker-)?containerd$/ },
  { program: 'shim', name: /^containerd-shim/ },
]

const LOOK_AGAIN_MS = 50

/**
 * Those of our engine and of no other, however they came to be: a file with process numbers would be wrong after the
 * machine was started again.
 */
export async function engineProcesses(
  folders: EngineFolders,
  wanted: EngineProgram,
): Promise<readonly ProcessIdentity[]> {
  const name = PROGRAMS.find(({ program }) => program === wanted)?.name
  const numbers = (await readdir('/proc').catch(() => [])).filter((entry) => /^\d+$/.test(entry))
  const found = await Promise.all(
    numbers.map(async (number) => {
      const commandLine = await readFile(join('/proc', number, 'cmdline'), 'utf8').catch(() => '')
      const [program = '', ...words] = commandLine.split('\0')
      if (!name?.test(basename(program)) || !isOurs(words, folders)) return undefined
      return (await hasOurRoot(number)) ? identify(Number(number)) : undefined
    }),
  )
  return found.filter((identity) => identity !== undefined)
}

/** By a file of its run folder, or, where containerd is the machine's own, by the namespace that is ours there. */
function isOurs(words: readonly string[], folders: EngineFolders): boolean {
  const namespace = words[words.indexOf('-namespace') + 1]
  return namespace === containerdNamespace(folders) || words.some((word) => word.includes(`${folders.run}/`))
}

/** In somebody's container the same path is another file. */
async function hasOurRoot(pid: string): Promise<boolean> {
  const [own, its] = await Promise.all([
    stat('/'),
    stat(join('/proc', pid, 'root', '/')).catch(() => undefined),
  ])
  return its?.dev === own.dev && its.ino === own.ino
}

/** Asks them to end, and ends those that still live after the limit. Resolves when all are gone. */
export async function endProcesses(
  processes: readonly ProcessIdentity[],
  limitMs: number,
  first: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  for (const identity of processes) await signalProcess(identity, first)
  if (await untilGone(processes, limitMs)) return
  for (const identity of processes) await signalProcess(identity, 'SIGKILL')
  if (await untilGone(processes, limitMs)) return
  throw new Error(`processes ${processes.map(({ pid }) => pid).join(', ')} live on after SIGKILL`)
}

async function untilGone(processes: readonly ProcessIdentity[], limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs
  for (;;) {
    const living = await Promise.all(processes.map(lives))
    if (!living.includes(true)) return true
    if (performance.now() > deadline) return false
    await delay(LOOK_AGAIN_MS)
  }
}
