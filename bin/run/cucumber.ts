import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { UsageError } from '../../src/contract/errors.ts'
import type { AbortMessage } from '../../support/abort.ts'
import { RUN_CONTEXT_VARIABLE } from '../../support/run-context.ts'
import type { RunEvent, RunMessage } from '../../support/run-events.ts'
import type { CucumberRequest } from './cucumber-request.ts'

/** How long Cucumber may take to skip what is left and clean up after itself once it was told to stop. */
const ABORT_LIMIT_MS = 30_000

/** Cucumber as a child in a process group of its own, so that a terminal's Ctrl-C reaches the command line alone. */
export interface CucumberProcess {
  /** Resolves with the number of scenarios once the features are read; rejects with a UsageError. */
  readonly planned: Promise<number>
  /** Clusters are up and the context is written: run. */
  run(): Promise<void>
  /** Asks it to skip the rest and clean up, and insists when that takes too long: so many milliseconds longer than usual. */
  abort(reason: string, allowanceMs?: number): void
  /** Ends the whole process group at once. */
  kill(): void
  /** Never rejects. Undefined where Cucumber ended without saying how the run went. */
  readonly ended: Promise<CucumberEnd>
}

export interface CucumberEnd {
  readonly success: boolean | undefined
  /** Why it ran nothing, although it had read the features. */
  readonly refused: string | undefined
  /** `code 1` or `signal SIGKILL`. */
  readonly how: string
}

export interface Listener {
  event(event: RunEvent): void
  /** A line that something in Cucumber's process printed. */
  line(text: string): void
}

/** Starts it; it reads the features at once, while the clusters are still on their way. */
export function startCucumber(
  request: CucumberRequest,
  context: string,
  listener: Listener,
  environment: Readonly<Record<string, string>> = {},
): CucumberProcess {
  const entry = fileURLToPath(new URL('../cucumber.ts', import.meta.url))
  const child = execa(process.execPath, [entry, JSON.stringify(request)], {
    cwd: request.root,
    detached: true,
    cleanup: false,
    reject: false,
    buffer: false,
    ipc: true,
    serialization: 'json',
    stdin: 'ignore',
    env: { ...environment, [RUN_CONTEXT_VARIABLE]: context },
  })
  const planned = Promise.withResolvers<number>()
  planned.promise.catch(() => undefined)
  let success: boolean | undefined
  let refused: string | undefined
  const listen = async () => {
    for await (const message of child.getEachMessage()) {
      const event = message as RunEvent
      if (event.type === 'planned') planned.resolve(event.scenarios)
      if (event.type === 'refused') {
        refused = event.message
        planned.reject(new UsageError(refused))
      }
      if (event.type === 'finished') success = event.success
      listener.event(event)
    }
  }
  const heard = Promise.all([listen(), readLines(child.stdout, listener), readLines(child.stderr, listener)])
  const kill = () => {
    // Negative: the group, so that processes which scenarios started end too.
    if (child.pid !== undefined) signalGroup(child.pid)
  }
  // What a scenario left running holds the pipes open; with Cucumber gone it has no business any more.
  child.nodeChildProcess.once('exit', kill)
  let deadline: NodeJS.Timeout | undefined
  const send = async (message: RunMessage | AbortMessage) => {
    // It may end at any moment; `ended` tells.
    if (child.nodeChildProcess.connected) await child.sendMessage({ ...message }).catch(() => undefined)
  }
  const end = async (): Promise<CucumberEnd> => {
    const { exitCode, signal } = await child
    clearTimeout(deadline)
    await heard
    const how = signal ? `signal ${signal}` : `code ${exitCode}`
    planned.reject(new Error(`Cucumber ended with ${how} before it had read the features`))
    return { success, refused, how }
  }
  return {
    planned: planned.promise,
    run: () => send({ type: 'run' }),
    abort: (reason, allowanceMs = 0) => {
      deadline ??= setTimeout(kill, ABORT_LIMIT_MS + allowanceMs).unref()
      void send({ type: 'abort', reason })
    },
    kill,
    ended: end(),
  }
}

async function readLines(stream: Readable, listener: Listener): Promise<void> {
  for await (const line of createInterface({ input: stream })) listener.line(line)
}

function signalGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
