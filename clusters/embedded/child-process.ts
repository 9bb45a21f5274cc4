import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { identify, type ProcessIdentity } from '../../src/process/process-identity.ts'
import { dieWithParent } from '../this-machine/die-with-parent.ts'
import type { ChildProgram } from './children.ts'
import { logPath } from './cluster-state.ts'

/** Lines of a child's log that are worth showing when it ended. */
const LAST_LINES = 10

/** A running child of the supervisor. */
export interface RunningChild {
  readonly identity: ProcessIdentity
  /** What it printed when it was ready. */
  readonly ready: Readonly<Record<string, unknown>>
  /** Resolves when it has ended, with how: `code 1`, `signal SIGKILL`. */
  readonly ended: Promise<string>
  kill(signal: NodeJS.Signals): void
}

/** Starts a program that ends with this process, and waits until it is ready. Its errors go to a log file. */
export async function startChild(program: ChildProgram, directory: string): Promise<RunningChild> {
  const log = logPath(directory, program.name)
  const [command, ...words] = [
    ...dieWithParent(),
    process.execPath,
    '--import',
    fileURLToPath(new URL('./end-with-parent.ts', import.meta.url)),
    ...program.arguments(directory),
  ]
  const child = spawn(command ?? process.execPath, words, {
    stdio: ['ignore', 'pipe', openSync(log, 'a', 0o600), 'ipc'],
  })
  const ended = howItEnds(child)
  const ready = await Promise.race([readyLine(child), ended])
  const identity = child.pid === undefined ? undefined : await identify(child.pid)
  if (typeof ready === 'string' || !identity) {
    throw new Error(await describeEnd(program.name, await ended, directory))
  }
  return { identity, ready, ended, kill: (signal) => void child.kill(signal) }
}

/** A sentence on how a child ended, with the last it said. */
export async function describeEnd(name: string, how: string, directory: string): Promise<string> {
  const log = logPath(directory, name)
  const text = await readFile(log, 'utf8').catch(() => '')
  const lines = text.trimEnd().split('\n').slice(-LAST_LINES)
  const last = lines.join('\n').trim()
  return `The ${name} ended with ${how}; ${last ? `the last lines of ${log}:\n${last}` : `${log} is empty`}`
}

async function readyLine({ stdout }: ChildProcess): Promise<Record<string, unknown> | string> {
  if (!stdout) return 'no output'
  const lines = createInterface({ input: stdout })
  const [line] = (await once(lines, 'line')) as [string]
  // Nobody reads what follows, but a full pipe would stop the child.
  lines.removeAllListeners('line').on('line', () => undefined)
  const parsed = JSON.parse(line) as Record<string, unknown>
  if (parsed.ready !== true) throw new Error(`Expected a line that says "ready":true, found: ${line}`)
  return parsed
}

async function howItEnds(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    return signal ? `signal ${signal}` : `code ${code}`
  } catch (error) {
    return String(error)
  }
}
