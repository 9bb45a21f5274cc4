import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** A process for as long as it lives: a number alone may come to mean another process later. */
export interface ProcessIdentity {
  readonly pid: number
  /** When it started, in whatever form the system gives; only compared. */
  readonly started: string
}

const run = promisify(execFile)

/** Of the machine's last start: a start time that is counted from there means nothing after another. */
export async function bootId(): Promise<string> {
  const text = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  return text.trim()
}

/** Undefined where no such process lives. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const started = process.platform === 'linux' ? await startedOnLinux(pid) : await startedByPs(pid)
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

/** proc(5): after the command in parentheses come the state (field 3) and, as field 22, the start time. */
async function startedOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie has ended; only its parent hasn't asked yet.
  return fields?.[0] === 'Z' || fields?.[0] === 'X' ? undefined : fields?.[19]
}

async function startedByPs(pid: number): Promise<string | undefined> {
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.trim() || undefined
}
