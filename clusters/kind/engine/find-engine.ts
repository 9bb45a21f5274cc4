import { access } from 'node:fs/promises'
import { connect } from 'node:net'
import { execa } from 'execa'
import { UsageError } from '../../../src/contract/errors.ts'
import type { Engine } from './engine.ts'
import { type EngineFolders, engineFolders } from './engine-folders.ts'

/** An engine that is busy answers late, one that hangs never. */
const LIMIT_MS = 15_000
const CONNECT_LIMIT_MS = 5_000

/** Why there is none, in words for people. */
export interface NoEngine {
  /**
   * `docker`: there is no such program. `answer`: nobody listens, so no engine runs there. `time`: one runs and says
   * nothing. `permission`: one runs, and not for this user.
   */
  readonly missing: 'docker' | 'answer' | 'time' | 'permission'
  readonly reason: string
  /** What somebody chose that engine with, in words; no other may stand in for it. */
  readonly chosenBy?: string
}

/** The engine that docker and kind are to use. Throws UsageError with the remedy where none answers. */
export async function findEngine(
  signal: AbortSignal,
  folders: EngineFolders = engineFolders(),
): Promise<Engine> {
  const found = await lookForEngine(signal, folders)
  if (!('reason' in found)) return found
  throw noEngineError(found)
}

export function noEngineError({ missing, reason, chosenBy }: NoEngine): UsageError {
  if (missing === 'answer' && chosenBy !== undefined)
    return new UsageError(`${reason}; ${chosenBy} names it: start it, or choose another`)
  return new UsageError(`${reason}; ${REMEDIES[missing]}`)
}

const REMEDIES: Readonly<Record<NoEngine['missing'], string>> = {
  docker:
    'install Docker (https://docs.docker.com/engine/install), or as root on Debian or Ubuntu: node clusters/kind/scripts/engine.ts start',
  answer: 'start it, or as root on Linux: node clusters/kind/scripts/engine.ts start',
  time: 'it runs and is busy, or hangs: wait for it, or restart it (one of our own: node clusters/kind/scripts/engine.ts stop)',
  permission:
    'join the group that may, usually docker (as root: usermod -aG docker USER), and log in again, or run this as root',
}

/**
 * DOCKER_HOST is somebody's decision. Without it our own comes first where it runs: it was started because there was
 * no other, and what was made on it would be lost from sight when another one appears.
 */
export async function lookForEngine(
  signal: AbortSignal,
  folders: EngineFolders,
  limitMs: number = LIMIT_MS,
): Promise<Engine | NoEngine> {
  const question = { ours: `unix://${folders.socket}`, signal, limitMs }
  const named = process.env.DOCKER_HOST
  if (named) return ask({ ...question, host: named })
  const own = (await exists(folders.socket)) ? await ask({ ...question, host: question.ours }) : undefined
  if (own && (!('reason' in own) || own.missing === 'time')) return own
  const other = await ask(question)
  return own?.missing === 'permission' && 'reason' in other ? own : other
}

interface Question {
  /** By default what docker's own context says. */
  readonly host?: string
  /** The endpoint of our own engine. */
  readonly ours: string
  readonly limitMs: number
  readonly signal: AbortSignal
}

async function ask({ host, ours, limitMs, signal }: Question): Promise<Engine | NoEngine> {
  const environment = host === undefined ? {} : { DOCKER_HOST: host }
  const [info, { context, endpoint }] = await Promise.all([
    docker(['info', '--format', '{{json .}}'], environment, limitMs, signal),
    host === undefined ? currentContext(limitMs, signal) : { context: '', endpoint: host },
  ])
  signal.throwIfAborted()
  const chosenBy = chooser(host, ours, context)
  const chosen = chosenBy === undefined ? {} : { chosenBy }
  if (info.code === 'ENOENT')
    return { missing: 'docker', reason: 'there is no docker on the path', ...chosen }
  const said = parse(info.stdout)
  if (info.failed || !said.ServerVersion) {
    const { timedOut } = info
    const missing = judge({ timedOut, refusal: await refusalOf(endpoint) })
    const why = timedOut ? `said nothing for ${limitMs / 1000} s` : lastLine(info.stderr)
    const reason = `no container engine answers at ${endpoint}${why ? ` (${why})` : ''}`
    return { missing, reason, ...chosen }
  }
  return {
    endpoint,
    environment: { ...environment },
    serverVersion: said.ServerVersion,
    cgroupVersion: said.CgroupVersion === '2' ? 2 : 1,
    dataRoot: said.DockerRootDir ?? '',
    ours: endpoint === ours,
  }
}

/**
 * What an engine lacks that did not tell about itself. `refusal` is the code that a connection to it failed with: empty
 * where one was made, undefined where that can't be tried.
 */
export function judge(tried: {
  readonly timedOut: boolean
  readonly refusal: string | undefined
}): Exclude<NoEngine['missing'], 'docker'> {
  if (tried.refusal === 'EACCES' || tried.refusal === 'EPERM') return 'permission'
  if (tried.refusal === '' || (tried.refusal === undefined && tried.timedOut)) return 'time'
  return 'answer'
}

/** Only a socket of this machine can be tried by the way; a connection that takes long is one. */
async function refusalOf(endpoint: string): Promise<string | undefined> {
  const path = /^unix:\/\/(.+)$/.exec(endpoint)?.[1]
  if (path === undefined) return undefined
  return new Promise((resolve) => {
    const socket = connect({ path, timeout: CONNECT_LIMIT_MS })
    const end = (code: string): void => {
      socket.destroy()
      resolve(code)
    }
    socket.on('connect', () => end(''))
    // Full: somebody listens and doesn't take it.
    socket.on('timeout', () => end(''))
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => end(code === 'EAGAIN' ? '' : code))
  })
}

function chooser(host: string | undefined, ours: string, context: string): string | undefined {
  if (host !== undefined) return host === ours ? undefined : 'DOCKER_HOST'
  return context === 'default' ? undefined : `docker’s context ${context}`
}

/** Docker's contexts may name another endpoint than the one everybody knows. */
async function currentContext(
  limitMs: number,
  signal: AbortSignal,
): Promise<{ readonly context: string; readonly endpoint: string }> {
  const words = ['context', 'inspect', '--format', '{{.Name}} {{.Endpoints.docker.Host}}']
  const { stdout } = await docker(words, {}, limitMs, signal)
  const [, context = 'default', endpoint = ''] = /^(\S+) (\S+)$/.exec(stdout.trim()) ?? []
  return { context, endpoint: endpoint || 'unix:///var/run/docker.sock' }
}

async function docker(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  limitMs: number,
  cancelSignal: AbortSignal,
) {
  return execa('docker', words, {
    env: environment,
    reject: false,
    stdin: 'ignore',
    timeout: limitMs,
    forceKillAfterDelay: 1_000,
    cancelSignal,
  })
}

interface Info {
  readonly ServerVersion?: string
  readonly CgroupVersion?: string
  readonly DockerRootDir?: string
}

/** Docker prints an object without values, and an error beside it, where no engine answers. */
function parse(stdout: string): Info {
  try {
    return JSON.parse(stdout) as Info
  } catch {
    return {}
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
