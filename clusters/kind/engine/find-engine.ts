import { access } from 'node:fs/promises'
import { execa } from 'execa'
import { UsageError } from '../../../src/contract/errors.ts'
import type { Engine } from './engine.ts'
import { type EngineFolders, engineFolders } from './engine-folders.ts'

/** An engine that is busy answers late, one that hangs never. */
const LIMIT_MS = 15_000

/** Why there is none, in words for people. */
export interface NoEngine {
  readonly missing: 'docker' | 'answer'
  readonly reason: string
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

export function noEngineError({ missing, reason }: NoEngine): UsageError {
  return new UsageError(`${reason}; ${REMEDIES[missing]}`)
}

const REMEDIES: Readonly<Record<NoEngine['missing'], string>> = {
  docker:
    'install Docker (https://docs.docker.com/engine/install), or as root on Debian or Ubuntu: node clusters/kind/scripts/engine.ts start',
  answer: 'start it, or as root on Linux: node clusters/kind/scripts/engine.ts start',
}

/**
 * DOCKER_HOST is somebody's decision. Without it our own comes first where it runs: it was started because there was
 * no other, and what was made on it would be lost from sight when another one appears.
 */
export async function lookForEngine(signal: AbortSignal, folders: EngineFolders): Promise<Engine | NoEngine> {
  const ours = `unix://${folders.socket}`
  const named = process.env.DOCKER_HOST
  if (named) return ask({ DOCKER_HOST: named }, ours, signal)
  if (await exists(folders.socket)) {
    const own = await ask({ DOCKER_HOST: ours }, ours, signal)
    if (!('reason' in own)) return own
  }
  return ask({}, ours, signal)
}

async function ask(
  environment: { readonly DOCKER_HOST?: string },
  ours: string,
  signal: AbortSignal,
): Promise<Engine | NoEngine> {
  const [info, endpoint] = await Promise.all([
    docker(['info', '--format', '{{json .}}'], environment, signal),
    environment.DOCKER_HOST ?? defaultEndpoint(signal),
  ])
  signal.throwIfAborted()
  if (info.code === 'ENOENT') return { missing: 'docker', reason: 'there is no docker on the path' }
  const said = parse(info.stdout)
  if (info.failed || !said.ServerVersion) {
    const why = info.timedOut ? `said nothing for ${LIMIT_MS / 1000} s` : lastLine(info.stderr)
    return {
      missing: 'answer',
      reason: `no container engine answers at ${endpoint}${why ? ` (${why})` : ''}`,
    }
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

/** Docker's contexts may name another than the one everybody knows. */
async function defaultEndpoint(signal: AbortSignal): Promise<string> {
  const { stdout } = await docker(
    ['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}'],
    {},
    signal,
  )
  return stdout.trim() || 'unix:///var/run/docker.sock'
}

async function docker(words: readonly string[], environment: NodeJS.ProcessEnv, cancelSignal: AbortSignal) {
  return execa('docker', words, {
    env: environment,
    reject: false,
    stdin: 'ignore',
    timeout: LIMIT_MS,
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
