import { existsSync } from 'node:fs'
import { execa } from 'execa'
import { dieWithParent } from '../this-machine/die-with-parent.ts'
import { findProgram } from '../this-machine/find-program.ts'

/** A program of somebody else's that failed; the message ends with the last it said. */
export class ToolError extends Error {
  /** All that it said on both streams. */
  readonly output: string

  constructor(what: string, how: string, output: string) {
    super(`${what}: ${how}${tail(output)}`)
    this.name = 'ToolError'
    this.output = output
  }
}

export interface ToolRun {
  /** What is being done, as a failure names it: "creating cluster poolwright-default". */
  readonly for: string
  readonly signal: AbortSignal
  /** Milliseconds. Default: ten minutes, which only a hanging engine needs. */
  readonly limitMs?: number
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

const LIMIT_MS = 10 * 60_000
const TAIL_LINES = 20

/**
 * Runs a program to its end, which is at the latest this process's own, and answers what it wrote to standard output.
 * Throws ToolError.
 */
export async function runTool(program: string, words: readonly string[], run: ToolRun): Promise<string> {
  run.signal.throwIfAborted()
  const limitMs = run.limitMs ?? LIMIT_MS
  // One that isn't there would be missed by what goes in front of it.
  const there = program.includes('/') ? existsSync(program) : findProgram(program) !== undefined
  const [command = program, ...first] = there ? [...dieWithParent(), program] : [program]
  const ended = await execa(command, [...first, ...words], {
    all: true,
    reject: false,
    ...(run.input === undefined ? { stdin: 'ignore' as const } : { input: run.input }),
    ...(run.env && { env: run.env }),
    cancelSignal: run.signal,
    forceKillAfterDelay: 2_000,
    timeout: limitMs,
  })
  run.signal.throwIfAborted()
  if (!ended.failed) return ended.stdout
  throw new ToolError(run.for, `${program} ${how(ended, limitMs)}`, ended.all ?? '')
}

interface Ended {
  readonly timedOut: boolean
  readonly exitCode?: number | undefined
  readonly shortMessage?: string | undefined
}

function how({ timedOut, exitCode, shortMessage }: Ended, limitMs: number): string {
  if (timedOut) return `took longer than ${limitMs / 1000} s`
  return exitCode === undefined ? `could not be run (${shortMessage})` : `ended with code ${exitCode}`
}

function tail(output: string): string {
  const lines = output.trim().split('\n').slice(-TAIL_LINES)
  return lines.join('') === '' ? '' : `\n  ${lines.join('\n  ')}`
}
