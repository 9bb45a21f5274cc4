import { readFileSync, readlinkSync } from 'node:fs'

/** How the machine is asked about processes; a test hands in its own. */
export interface ProcessTable {
  /** One start of the machine; empty where the system doesn't say. */
  readonly boot: string
  /** A container has process numbers of its own. Empty where the system doesn't say. */
  readonly pidNamespace: string
  /** In the system's own clock ticks since its boot, `ended` of a zombie. Undefined where it can't be read. */
  startTime(pid: number): string | undefined
  /** Whether the system says for certain that there is no such process. */
  isAbsent(pid: number): boolean
}

export const thisMachine: ProcessTable = {
  get boot() {
    return textOf('/proc/sys/kernel/random/boot_id')
  },
  get pidNamespace() {
    try {
      return readlinkSync('/proc/self/ns/pid')
    } catch {
      return ''
    }
  },
  startTime(pid) {
    const stat = textOf(`/proc/${pid}/stat`)
    // proc(5): after the command in parentheses come the state and, as field 22 of all, the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (stat === '') return undefined
    // A zombie has ended; only its parent hasn't asked yet.
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : fields[19]
  },
  isAbsent(pid) {
    try {
      process.kill(pid, 0)
      return false
    } catch (error) {
      // Not ENOENT of /proc: where that hides other people's processes, theirs would seem to have ended.
      return (error as NodeJS.ErrnoException).code === 'ESRCH'
    }
  },
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
