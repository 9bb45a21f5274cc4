import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { expect } from 'chai'
import { execa } from 'execa'
import { UsageError } from '../../../src/contract/errors.ts'
import { type DebianRequest, debianTree, rootfsPath } from './debian.ts'
import { artifactsFolder, readArtifact } from './store.ts'

const TREE = { name: 'node', suite: 'bookworm', packages: ['jq', 'systemd'] }
const before = { ...process.env }

let folder: string
const at = (...names: string[]): string => join(folder, ...names)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'poolwright debian test-'))
  await mkdir(at('bin'))
  const path = `${at('bin')}${delimiter}/bin${delimiter}/usr/bin`
  Object.assign(process.env, { PATH: path, XDG_CACHE_HOME: at('cache'), FAKE: folder })
  // What isn't debootstrap's business: a test may run where namespaces can't be made.
  await install('unshare', 'while [ "$1" != debootstrap ]; do shift; done; exec "$@"')
  await install('apt-get', 'echo "http://mirror.example/debian bookworm main"')
})
afterEach(async () => {
  Object.assign(process.env, before)
  if (before.XDG_CACHE_HOME === undefined) delete process.env.XDG_CACHE_HOME
  delete process.env.FAKE
  await rm(folder, { recursive: true, force: true })
})

it('makes a tree of the packages asked for from the mirror of the machine, once', async () => {
  await installDebootstrap()
  const path = await debianTree(TREE, request())
  expect(await debianTree({ ...TREE, packages: ['systemd', 'jq'] }, request())).to.equal(path)
  expect((await readFile(at('asked'), 'utf8')).trim().split('\n')).to.have.length(1)
  expect(await readFile(at('asked'), 'utf8')).to.match(
    /^--variant=minbase --force-check-gpg --include=jq,systemd bookworm .*\/tree http:\/\/mirror\.example\/debian$/m,
  )
  expect(await readdir(path)).to.have.members(['artifact.json', 'rootfs.tar'])
  const { stdout } = await execa('tar', ['--list', '--file', rootfsPath(path)])
  expect(stdout.split('\n')).to.include('./usr/bin/jq')
  expect(stdout).to.not.include('jq.deb')
  expect((await readArtifact(path))?.record.facts).to.deep.include({
    mirror: 'http://mirror.example/debian',
    packages: { jq: '1.6-2.1' },
  })
})

it('asks for what is missing to be installed', async () => {
  const asked: string[] = []
  await debianTree(
    TREE,
    request({
      installPrograms: async (programs) => {
        asked.push(...programs)
        await installDebootstrap()
        return []
      },
    }),
  )
  expect(asked).to.deep.equal(['debootstrap'])
})

it('says in one line that debootstrap is missing', async () => {
  await install('debootstrap', 'exit 127')
  expect((await failure(request())).message).to.match(
    /^a Debian tree is made by debootstrap, which .* lacks:.*$/,
  )
})

it('says in one line that it needs root', async () => {
  await installDebootstrap()
  expect((await failure(request({ root: false }))).message).to.match(
    /^a Debian tree can only be made by root.*$/,
  )
})

it('names the package with Debian’s keys where nothing can be verified', async () => {
  for (const said of [
    'W: Cannot check Release signature; keyring file not available /usr/share/keyrings/debian-archive-keyring.gpg',
    'E: Release signed by unknown key (key id 6ED0E7B82643E131)',
    'E: gpgv not installed, but required for Release verification',
  ]) {
    await installDebootstrap(`echo "${said}" >&2; exit 1`)
    const { message } = await failure(request())
    expect(message).to.match(/^what debootstrap fetches can't be verified.* debian-archive-keyring.* gpgv/)
    expect(message).to.include(said)
  }
})

it('ends with what debootstrap said when it fails, and leaves nothing', async () => {
  await installDebootstrap('echo "E: no such package: jq" >&2; exit 1')
  const failed = await debianTree(TREE, request()).catch((error: Error) => error)
  expect((failed as Error).message).to.include('E: no such package: jq')
  expect(await readdir(artifactsFolder())).to.deep.equal([])
})

async function failure(asked: DebianRequest): Promise<UsageError> {
  const failed = await debianTree(TREE, asked).catch((error: unknown) => error)
  expect(failed).to.be.instanceOf(UsageError)
  return failed as UsageError
}

function request(changes: Partial<DebianRequest> = {}): DebianRequest {
  return { signal: new AbortController().signal, progress: () => undefined, root: true, ...changes }
}

/** Stands for debootstrap: a tree with one package, what apt left of fetching it, and one that was removed again. */
function installDebootstrap(first = ':'): Promise<void> {
  return install(
    'debootstrap',
    `if [ "$1" = --version ]; then exit 0; fi
${first}
echo "$@" >> "$FAKE/asked"
for tree; do case "$tree" in */tree) break;; esac; done
mkdir -p "$tree/usr/bin" "$tree/var/lib/dpkg" "$tree/var/cache/apt/archives"
touch "$tree/usr/bin/jq" "$tree/var/cache/apt/archives/jq.deb"
printf 'Package: jq\\nStatus: install ok installed\\nVersion: 1.6-2.1\\n\\n' > "$tree/var/lib/dpkg/status"
printf 'Package: gone\\nStatus: deinstall ok config-files\\nVersion: 1\\n' >> "$tree/var/lib/dpkg/status"`,
  )
}

async function install(name: string, script: string): Promise<void> {
  await writeFile(at('bin', name), `#!/bin/sh\n${script}\n`)
  await chmod(at('bin', name), 0o755)
}
