import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { UsageError } from '../../src/contract/errors.ts'
import { whileLocked } from '../embedded/name-lock.mjs'
import { kubectlVersion } from './kubectl-version.ts'
import {
  buildsFolder,
  builtKubectl,
  KUBECTL_VERSION,
  LINKER_FLAGS,
  MODULE_FOLDER,
  PACKAGE,
} from './module.ts'

const SCRATCH_PREFIX = '.building-'
/** Minutes of a slow machine with a cold module cache, in milliseconds. */
const LIMIT_MS = 45 * 60_000

/**
 * Builds kubectl into the user's cache unless it is there already, and answers its path. What is half made is never at that
 * path, and is swept away by this build or the next. Throws UsageError without Go.
 */
export async function buildKubectl(signal: AbortSignal, progress: (line: string) => void): Promise<string> {
  const path = await builtKubectl()
  if (await exists(path)) return path
  const goVersion = await requireGo()
  const waiting = (): void => progress('another process is building kubectl; waiting for it')
  await whileLocked(
    `kubectl ${buildsFolder()}`,
    signal,
    async () => {
      if (await exists(path)) return
      progress(`building kubectl ${KUBECTL_VERSION} with ${goVersion}; some minutes the first time`)
      await sweep()
      await build(path, signal)
    },
    waiting,
  )
  return path
}

async function requireGo(): Promise<string> {
  const { stdout, failed } = await execa('go', ['version'], {
    reject: false,
    timeout: 30_000,
    stdin: 'ignore',
  })
  if (!failed) return stdout.replace(/^go version /, '')
  throw new UsageError(
    `kubectl ${KUBECTL_VERSION} is built from its Go module, and this machine has no working Go: install Go 1.26 or newer, or put a kubectl 1.36 on the path`,
  )
}

async function build(path: string, signal: AbortSignal): Promise<void> {
  await mkdir(buildsFolder(), { recursive: true })
  const scratch = await mkdtemp(join(buildsFolder(), SCRATCH_PREFIX))
  try {
    const program = join(scratch, 'kubectl')
    await runGo(['build', '-trimpath', `-ldflags=${LINKER_FLAGS}`, '-o', program, PACKAGE], scratch, signal)
    const version = await kubectlVersion(program)
    if (version !== KUBECTL_VERSION)
      throw new Error(`the kubectl built says ${version}, not ${KUBECTL_VERSION}`)
    await mkdir(dirname(path), { recursive: true })
    await rename(program, path)
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** In a process group of its own: ending `go` alone would leave its compilers writing. */
async function runGo(args: readonly string[], scratch: string, signal: AbortSignal): Promise<void> {
  const running = execa('go', args, {
    cwd: MODULE_FOLDER,
    env: {
      CGO_ENABLED: '0',
      GOFLAGS: '-mod=readonly',
      GOWORK: 'off',
      GOCACHE: join(scratch, 'cache'),
      GOTMPDIR: scratch,
    },
    stdin: 'ignore',
    all: true,
    reject: false,
    detached: process.platform !== 'win32',
    timeout: LIMIT_MS,
  })
  const endAll = (): void => {
    if (running.pid !== undefined && process.platform !== 'win32') process.kill(-running.pid, 'SIGKILL')
    else running.kill('SIGKILL')
  }
  signal.addEventListener('abort', endAll)
  const { exitCode, all, timedOut } = await running
  signal.removeEventListener('abort', endAll)
  signal.throwIfAborted()
  if (timedOut) throw new Error(`building kubectl took longer than ${LIMIT_MS / 60_000} minutes`)
  if (exitCode !== 0) throw new UsageError(`kubectl can't be built: go ended with code ${exitCode}\n${all}`)
}

/** What a build that was killed left behind; nobody else builds while we hold the lock. */
async function sweep(): Promise<void> {
  const entries = await readdir(buildsFolder()).catch(() => [])
  for (const entry of entries)
    if (entry.startsWith(SCRATCH_PREFIX))
      await rm(join(buildsFolder(), entry), { recursive: true, force: true })
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
