import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { UsageError } from '../../../src/contract/errors.ts'
import { runTool, ToolError } from '../run-tool.ts'
import { type ArtifactKey, artifact, type Facts } from './store.ts'

export interface DebianTree {
  /** Lower-case letters, digits and dashes; the artifact is `debian-NAME-…`. */
  readonly name: string
  /** As in "bookworm". */
  readonly suite: string
  /** Besides what no Debian can do without. */
  readonly packages: readonly string[]
}

export interface DebianRequest {
  readonly signal: AbortSignal
  readonly progress: (line: string) => void
  /**
   * Installs what is missing of these programs where that is allowed; resolves with what is still missing. Absent where
   * nothing may be installed.
   */
  readonly installPrograms?: ((programs: readonly string[]) => Promise<readonly string[]>) | undefined
  /** Whether this process may make device files and change owners. */
  readonly root?: boolean
}

/** Fetching and unpacking 150 packages behind a slow line, in milliseconds. */
const LIMIT_MS = 30 * 60_000
/** Nobody reads these in a node. */
const LEFT_OUT = ['var/cache/apt/*', 'var/lib/apt/lists/*', 'usr/share/man/*', 'usr/share/locale/*']

/** The key of a tree's artifact. Its packages' versions are no part of it, but in the record. */
export function debianKey({ name, suite, packages }: DebianTree): ArtifactKey {
  return {
    name: `debian-${name}`,
    inputs: { suite, packages: [...packages].sort().join(' '), architecture: process.arch },
  }
}

/** Where the tree lies in its artifact, a tar with the owners' numbers. */
export function rootfsPath(artifact: string): string {
  return join(artifact, 'rootfs.tar')
}

/**
 * The path of the artifact with a tree of Debian packages, made by debootstrap unless it is there. Throws UsageError where
 * this isn't root, or debootstrap is missing and can't be installed.
 */
export async function debianTree(tree: DebianTree, request: DebianRequest): Promise<string> {
  const { signal, progress } = request
  return artifact({
    ...debianKey(tree),
    signal,
    onWait: () => progress(`another process is making the Debian tree ${tree.name}; waiting for it`),
    make: async (folder) => {
      await requireDebootstrap(request)
      progress(`making a tree of Debian ${tree.suite} for ${tree.name}: about 40 s`)
      return make(tree, folder, signal)
    },
  })
}

/** Throws UsageError where no tree can be made: not as root, or without debootstrap, which is installed where allowed. */
export async function requireDebootstrap({
  root = process.getuid?.() === 0,
  installPrograms,
}: Pick<DebianRequest, 'root' | 'installPrograms'>): Promise<void> {
  if (!root) throw new UsageError('a Debian tree can only be made by root: run this as root')
  await installPrograms?.(['debootstrap'])
  const { exitCode } = await execa('debootstrap', ['--version'], {
    reject: false,
    stdin: 'ignore',
    timeout: 30_000,
  })
  if (exitCode === 0) return
  throw new UsageError(
    'a Debian tree is made by debootstrap, which this machine lacks: install the package debootstrap',
  )
}

async function make(tree: DebianTree, folder: string, signal: AbortSignal): Promise<Facts> {
  const run = { for: `making the Debian tree ${tree.name}`, signal, limitMs: LIMIT_MS }
  const root = join(folder, 'tree')
  await mkdir(root)
  const mirror = await mirrorOf(tree.suite, signal)
  const debootstrap = [
    'debootstrap',
    '--variant=minbase',
    // By itself it goes on unverified where it finds no keys.
    '--force-check-gpg',
    ...(tree.packages.length > 0 ? [`--include=${tree.packages.join(',')}`] : []),
    tree.suite,
    root,
    ...(mirror === undefined ? [] : [mirror]),
  ]
  // In namespaces of its own: what it mounts and starts in the tree ends with it, however it ends.
  await runTool('unshare', ['--mount', '--pid', '--fork', '--kill-child', ...debootstrap], run).catch(
    unverified,
  )
  const versions = parseInstalled(await readFile(join(root, 'var/lib/dpkg/status'), 'utf8'))
  const leftOut = LEFT_OUT.map((pattern) => `--exclude=./${pattern}`)
  const tar = ['--create', '--numeric-owner', '--sort=name', ...leftOut]
  await runTool('tar', [...tar, '--file', rootfsPath(folder), '--directory', root, '.'], run)
  await rm(root, { recursive: true, force: true, maxRetries: 10 })
  return { suite: tree.suite, mirror: mirror ?? "debootstrap's default", packages: versions }
}

/** Debootstrap's own words, with what to do where it can't tell whose packages it gets. */
function unverified(error: Error): never {
  if (!(error instanceof ToolError) || !/signature|signed by|keyring|gpgv|sqv/i.test(error.output))
    throw error
  throw new UsageError(
    `what debootstrap fetches can't be verified: install the packages debian-archive-keyring and gpgv (${error.message})`,
    { cause: error },
  )
}

/** Where this machine's own apt gets the suite from; undefined where it knows none. */
async function mirrorOf(suite: string, signal: AbortSignal): Promise<string | undefined> {
  const targets = [
    'indextargets',
    '--format',
    '$(REPO_URI) $(CODENAME) $(COMPONENT)',
    'Created-By: Packages',
    `Codename: ${suite}`,
    'Component: main',
  ]
  const asked = await runTool('apt-get', targets, { for: 'asking apt for its mirror', signal }).catch(
    () => '',
  )
  signal.throwIfAborted()
  const lines = asked.split('\n').map((line) => line.split(' '))
  return lines.find(([, codename]) => codename === suite)?.[0]
}

/** Package to version, from dpkg's status file. */
function parseInstalled(status: string): Readonly<Record<string, string>> {
  const versions: Record<string, string> = {}
  for (const paragraph of status.split('\n\n')) {
    const name = /^Package: (.+)$/m.exec(paragraph)?.[1]
    const version = /^Version: (.+)$/m.exec(paragraph)?.[1]
    if (name && version && /^Status: .* installed$/m.test(paragraph)) versions[name] = version
  }
  return versions
}
