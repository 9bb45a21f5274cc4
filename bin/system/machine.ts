import { readFileSync } from 'node:fs'
import { findProgram } from '../../clusters/this-machine/find-program.ts'

/** What decides whether and how something can be installed; a test hands in another. */
export interface Machine {
  /** Whether this process may change the system. */
  readonly root: boolean
  /** Content of /etc/os-release; empty where there is none. */
  readonly osRelease: string
  readonly environment: Readonly<NodeJS.ProcessEnv>
}

export function thisMachine(): Machine {
  return { root: process.getuid?.() === 0, osRelease: readOsRelease(), environment: process.env }
}

/** os-release(5): Debian and Ubuntu name themselves in ID, those made from them in ID_LIKE. */
export function isDebianLike({ osRelease }: Machine): boolean {
  return /^ID(?:_LIKE)?=.*\b(?:debian|ubuntu)\b/m.test(osRelease)
}

export function isOnPath(program: string, { environment }: Machine): boolean {
  return findProgram(program, environment) !== undefined
}

function readOsRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8')
  } catch {
    return ''
  }
}
