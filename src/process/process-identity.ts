import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { thisMachine } from './process-table.ts'

/** A process for as long as it lives: a number alone may come to mean another process later. */
export interface ProcessIdentity {
  readonly pid: number
  /** When it started, in whatever form the system gives; only compared. */
  readonly started: string
}

const run = promisify(execFile)

/** Undefined where no such process lives. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const started = process.platform === 'linux' ? startedOnLinux(pid) : await startedByPs(pid)
  return started === undefined ? undefined : { pid, started }
}

/** Whether that very process still lives. */
export async function lives({ pid, started }: ProcessIdentity): Promise<boolean> {
  return (await identify(pid))?.started === started
}

/** Sends a signal to that very process; a process that ended meanwhile is no error. */
export async function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<void> {
  if (!(await lives(identity))) return
  try {
    process.kill(identity.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function startedOnLinux(pid: number): string | undefined {
  const started = thisMachine.startTime(pid)
  return started === 'ended' ? undefined : started
}

async function startedByPs(pid: number): Promise<string | undefined> {
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.trim() || undefined
}
