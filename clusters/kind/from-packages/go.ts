import { access, rm } from 'node:fs/promises'
import { execa } from 'execa'
import { UsageError } from '../../../src/contract/errors.ts'
import { dieWithParent } from '../../this-machine/die-with-parent.ts'
import { whileLocked } from '../../this-machine/name-lock.mjs'
import { userCache } from '../../this-machine/user-cache.ts'

export interface GoRun {
  /** What is being done, as a failure names it: "building etcd". */
  readonly for: string
  /** A folder with a go.mod. */
  readonly module: string
  /** For what Go writes on the way; the caller removes it. */
  readonly scratch: string
  readonly signal: AbortSignal
}

/** Minutes of a slow machine with a cold module cache, in milliseconds. */
const LIMIT_MS = 45 * 60_000
/** What people do on the machine goes first. */
const NICENESS = '10'
/** Milliseconds: whoever holds the caches longer is using them. */
const UNUSED_LIMIT_MS = 2_000
const LOCK_KEY = (): string => `go ${goFolder()}`

/** Where Go keeps downloads and compiled packages: the builder's own folder, since 10 GB of it were seen. */
function goFolder(): string {
  return userCache('go')
}

/** "go1.26.8 linux/amd64". Throws UsageError where there is no working Go, saying what needs it. */
export async function goVersion(neededFor: string): Promise<string> {
  const { stdout, failed } = await execa('go', ['version'], {
    reject: false,
    timeout: 30_000,
    stdin: 'ignore',
  })
  if (!failed) return stdout.replace(/^go version /, '')
  throw new UsageError(
    `${neededFor}, and this machine has no working Go: install Go 1.26.8 or newer (go.dev/doc/install)`,
  )
}

/**
 * Runs Go for one of our modules and resolves with what it wrote to standard output. The user's own settings say where
 * modules come from, not how they are built. Throws UsageError with all that Go said when it fails.
 */
export async function runGo(words: readonly string[], run: GoRun): Promise<string> {
  run.signal.throwIfAborted()
  const nice = process.platform === 'win32' ? [] : ['nice', '-n', NICENESS]
  const [program = 'go', ...args] = [...dieWithParent(), ...nice, 'go', ...toEndWithGo(words)]
  const running = execa(program, args, {
    cwd: run.module,
    env: {
      CGO_ENABLED: '0',
      // The module cache writable, so that a user who isn't root can remove it.
      GOFLAGS: '-mod=readonly -trimpath -modcacherw -buildvcs=false',
      GOWORK: 'off',
      GOCACHE: userCache('go', 'build'),
      GOMODCACHE: userCache('go', 'modules'),
      GOTMPDIR: run.scratch,
    },
    stdin: 'ignore',
    all: true,
    reject: false,
    // In a process group of its own: ending `go` alone would leave its compilers writing.
    detached: process.platform !== 'win32',
    timeout: LIMIT_MS,
  })
  const endAll = (): void => endGroup(running.pid)
  run.signal.addEventListener('abort', endAll)
  const ended = await running
  run.signal.removeEventListener('abort', endAll)
  run.signal.throwIfAborted()
  if (!ended.failed) return ended.stdout
  endAll()
  if (ended.timedOut) throw new Error(`${run.for} took longer than ${LIMIT_MS / 60_000} minutes`)
  const how = ended.exitCode === undefined ? ended.shortMessage : `go ended with code ${ended.exitCode}`
  throw new UsageError(`${run.for} failed: ${how}\n${ended.all}`)
}

/** Compilers and linkers that end with Go, however that ends: the kernel kills no grandchildren. */
function toEndWithGo([command = '', ...words]: readonly string[]): readonly string[] {
  const before = dieWithParent()
  if (command !== 'build' || before.length === 0) return [command, ...words]
  // Go splits it at blanks and understands quotes.
  return [command, `-toolexec=${before.map((word) => `'${word}'`).join(' ')}`, ...words]
}

/**
 * Runs work that uses Go's caches while nobody else does, nor drops them: two builds side by side would only share the
 * processors and double the memory.
 */
export function withGoCaches<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  onWait?: () => void,
): Promise<T> {
  return whileLocked(LOCK_KEY(), signal, work, onWait)
}

/** Whether downloads or compiled packages are kept. */
export function hasGoCaches(): Promise<boolean> {
  return access(goFolder()).then(
    () => true,
    () => false,
  )
}

/** Removes downloads and compiled packages: what was built doesn't need them. */
export function dropGoCaches(signal: AbortSignal, onWait?: () => void): Promise<void> {
  return withGoCaches(signal, () => rm(goFolder(), { recursive: true, force: true, maxRetries: 10 }), onWait)
}

/** The same, unless somebody is using them, who drops them then. */
export async function dropUnusedGoCaches(signal: AbortSignal): Promise<void> {
  if (!(await hasGoCaches())) return
  const unused = AbortSignal.any([signal, AbortSignal.timeout(UNUSED_LIMIT_MS)])
  await dropGoCaches(unused).catch((error: Error) => {
    if (!unused.aborted) throw error
  })
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
