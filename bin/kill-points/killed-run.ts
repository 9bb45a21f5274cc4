import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { ClusterDescription } from '../../clusters/provider.ts'
import type { Exchange } from '../../support/interference/journal.ts'
import { InterferenceProxy } from '../../support/interference/proxy.ts'
import { type Rule, WRITES } from '../../support/interference/rule.ts'
import type { Upstream } from '../../support/interference/upstream.ts'
import { commandLinesWith } from '../fixtures/command-line.ts'
import type { Moment, Point, Victim } from './points.ts'
import type { SuiteRunRequest } from './suite-run.ts'

const PROGRAM = fileURLToPath(new URL('suite-run.ts', import.meta.url))
const LOOK_EVERY_MS = 50

export interface RunRequest {
  readonly description: ClusterDescription
  readonly upstream: Upstream
  readonly tags: string
  /** The run's own: reports and temporary files go there, and its processes are recognised by it. */
  readonly folder: string
  /** Milliseconds for a run to come to its end, and for what is left of it to end once it was killed. */
  readonly limitMs: number
  readonly signal: AbortSignal
}

export interface Ended {
  readonly exitCode: number | undefined
  readonly printed: string
  /** What it asked of the API, in order. */
  readonly exchanges: readonly Exchange[]
  /** Whether the moment came at which it was to be killed. */
  readonly isKilled: boolean
}

/** Runs the suite through a proxy to the end of all its processes. `atPoint` acts just before the kill. */
export async function runSuiteOnce(
  request: RunRequest,
  point?: Point,
  atPoint: () => Promise<unknown> = async () => undefined,
): Promise<Ended> {
  const { folder, signal, limitMs } = request
  const proxy = await InterferenceProxy.start(request.upstream)
  const child = spawnRun(request, proxy.kubeconfig('the suite'))
  let isKilled = false
  let isOver = false
  const kill = async (victim: Victim): Promise<void> => {
    if (isOver) return
    await atPoint()
    isKilled = true
    killProcesses(child.pid, victim)
  }
  if (point) for (const rule of rulesFor(point, kill)) proxy.interfere(rule)
  const giveUp = (): void => killProcesses(child.pid, 'the whole run')
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    const { exitCode, all } = await child
    isOver = true
    await untilNobodyLeft(folder, limitMs)
    signal.throwIfAborted()
    const [failure] = proxy.failures
    if (failure) throw failure
    return { exitCode, printed: all ?? '', exchanges: proxy.journal.exchanges, isKilled }
  } finally {
    signal.removeEventListener('abort', giveUp)
    await proxy.close()
  }
}

function spawnRun({ description, tags, folder, limitMs }: RunRequest, kubeconfig: string) {
  const asked: SuiteRunRequest = {
    description: { ...description, kubeconfig },
    tags,
    reports: join(folder, 'reports'),
  }
  return execa(process.execPath, [PROGRAM, JSON.stringify(asked)], {
    // A run that is killed leaves its temporary files.
    env: { TMPDIR: folder, NODE_TEST_CONTEXT: undefined },
    reject: false,
    stdin: 'ignore',
    all: true,
    timeout: limitMs,
    forceKillAfterDelay: false,
  })
}

/** Each rule acts once: a process is killed only once. */
function rulesFor({ moment, victim }: Point, kill: (victim: Victim) => Promise<void>): readonly Rule[] {
  if (!('write' in moment)) return firstWrite(moment, victim, kill)
  const { side, write } = moment
  const name = `${victim} is killed ${side} it`
  const of = { name, verbs: [write.verb], resource: write.resource }
  const occurrences = { after: write.nth, count: 1 }
  const isWhole = victim === 'the whole run'
  if (side === 'after' && isWhole)
    return [{ ...of, occurrences, action: { kind: 'keep-answer', landed: () => void kill(victim) } }]
  const run = async (exchange: Exchange): Promise<void> => {
    if (side === 'after') {
      void answered(exchange).then(() => kill(victim))
      return
    }
    await kill(victim)
    // Whoever sent it is dead; the proxy sees its connection end, and passes nothing on.
    if (isWhole) await new Promise(() => undefined)
  }
  return [{ ...of, occurrences, action: { kind: 'before', run } }]
}

/** A scenario's namespace is the first that it writes. */
function firstWrite(
  { afterMs }: Moment & { readonly afterMs: number },
  victim: Victim,
  kill: (victim: Victim) => Promise<void>,
): readonly Rule[] {
  const run = async (): Promise<void> => {
    setTimeout(() => void kill(victim), afterMs).unref()
  }
  return [
    {
      name: `${victim} is killed ${afterMs} ms after it`,
      verbs: WRITES,
      resource: 'namespaces',
      occurrences: { first: 1 },
      action: { kind: 'before', run },
    },
  ]
}

/** Resolves once the API has answered it, whatever becomes of the answer. */
async function answered(exchange: Exchange): Promise<void> {
  while (exchange.code === undefined && exchange.until === undefined) await delay(1)
}

/** At once. Its Cucumber leads a process group of its own. */
function killProcesses(pid: number | undefined, victim: Victim): void {
  if (pid === undefined) return
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    process.kill(pid, 'SIGKILL')
    if (victim === 'the whole run') for (const each of children) process.kill(-Number(each), 'SIGKILL')
  } catch (error) {
    // It came to its end just now.
    if (!['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

async function untilNobodyLeft(folder: string, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs
  for (let left = await commandLinesWith(folder); left.length > 0; left = await commandLinesWith(folder)) {
    if (Date.now() > deadline) throw new Error(`still alive ${limitMs} ms after the kill: ${left.join(', ')}`)
    await delay(LOOK_EVERY_MS)
  }
}
