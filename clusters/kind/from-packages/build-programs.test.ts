import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { expect } from 'chai'
import { UsageError } from '../../../src/contract/errors.ts'
import { identify } from '../../../src/process/process-identity.ts'
import { findProgram } from '../../this-machine/find-program.ts'
import { PROGRAM_VERSIONS } from '../versions.ts'
import { familyKey } from './build-family.ts'
import { buildPrograms, estimatePrograms } from './build-programs.ts'
import { dropGoCaches, hasGoCaches } from './go.ts'
import { FAMILIES, type FamilyName, family, modulePath, type ProgramFamily } from './programs.ts'
import { artifactsFolder, readArtifact } from './store.ts'

const SETPRIV = findProgram('setpriv')
const ALONE = (process.platform !== 'linux' || !SETPRIV) && 'no setpriv on this machine'

const never = new AbortController().signal
const before = { ...process.env }

let folder: string
const at = (...names: string[]): string => join(folder, ...names)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'poolwright programs test-'))
  await mkdir(at('bin'))
  await symlink('/usr/bin/nice', at('bin', 'nice'))
  Object.assign(process.env, { PATH: at('bin'), XDG_CACHE_HOME: at('cache'), FAKE: folder })
})
afterEach(async () => {
  Object.assign(process.env, before)
  if (before.XDG_CACHE_HOME === undefined) delete process.env.XDG_CACHE_HOME
  delete process.env.FAKE
  await rm(folder, { recursive: true, force: true })
})

it('keeps programs, files of their modules and what they are made of, and needs no Go afterwards', async () => {
  await installGo()
  const built = await buildPrograms(['metallb'], { signal: never, progress: () => undefined })
  const path = built.get('metallb') ?? ''
  expect(await readdir(path)).to.have.members(['artifact.json', 'bin', 'files'])
  expect(await readdir(join(path, 'bin'))).to.deep.equal(['controller', 'speaker'])
  expect(await readFile(join(path, 'files', 'manifests', 'native.yaml'), 'utf8')).to.equal('kind: List\n')
  const artifact = await readArtifact(path)
  expect(artifact?.record.facts).to.deep.equal({
    go: 'go1.26.8',
    programs: {
      controller: 'go.universe.tf/metallb/controller',
      speaker: 'go.universe.tf/metallb/speaker',
    },
    modules: { 'example.test/common': 'v1.0.0 h1:one', 'example.test/replaced': 'v2.0.0 h1:two' },
  })
  await rm(at('bin', 'go'))
  await dropGoCaches(never)
  expect(await hasGoCaches()).to.equal(false)
  const again = await buildPrograms(['metallb'], { signal: never, progress: () => undefined })
  expect(again.get('metallb')).to.equal(path)
})

it('builds in the order that shares most, and says how far it is', async () => {
  await installGo()
  const said: string[] = []
  const names: FamilyName[] = ['local-path', 'etcd', 'kubectl']
  expect(await estimatePrograms(names)).to.be.greaterThan(100)
  await buildPrograms(names, { signal: never, progress: (line) => said.push(line) })
  expect(said.map((line) => line.replace(/^\[(\S+), .* left\] building (\S+) .*/, '$1 $2'))).to.deep.equal([
    '1/3 kubectl',
    '2/3 etcd',
    '3/3 local-path',
  ])
  expect(await estimatePrograms(names)).to.equal(0)
})

it('ends with what Go said when a family fails, and keeps those built before', async () => {
  await installGo('case "$*" in *coredns*) echo "undefined: plugin"; exit 1;; esac')
  const failed = await buildPrograms(['etcd', 'coredns', 'metallb'], {
    signal: never,
    progress: () => undefined,
  }).catch((error: unknown) => error)
  expect(failed).to.be.instanceOf(UsageError)
  expect((failed as Error).message).to.match(
    /^building coredns failed: go ended with code 1\nundefined: plugin/,
  )
  const left = await readdir(artifactsFolder())
  expect(left.map((name) => name.replace(/-[0-9a-f]{16}$/, ''))).to.deep.equal(['etcd'])
})

it('refuses a program that is not of the version asked for', async () => {
  await installGo('export SAYS=v0.0.0-master')
  const failed = await buildPrograms(['etcd'], { signal: never, progress: () => undefined }).catch(
    (error: unknown) => error,
  )
  expect((failed as Error).message).to.equal('the etcd built was to say 3.6.8 and says: v0.0.0-master')
  expect(await readdir(artifactsFolder())).to.deep.equal([])
})

it('ends what Go started when it is aborted', async () => {
  await installGo('sleep 600 & echo $! > "$FAKE/compiler"; wait')
  const stop = new AbortController()
  const building = buildPrograms(['etcd'], { signal: stop.signal, progress: () => undefined })
  let compiler = ''
  while (compiler === '') {
    compiler = await readFile(at('compiler'), 'utf8').catch(() => '')
    await new Promise(setImmediate)
  }
  stop.abort(new Error('stopped'))
  expect(await building.catch((error: Error) => error.message)).to.equal('stopped')
  expect(await ended(Number(compiler))).to.equal(true)
  expect(await readdir(artifactsFolder())).to.deep.equal([])
})

it('takes Go and its compilers along when it is killed', { skip: ALONE }, async () => {
  await symlink(SETPRIV as string, at('bin', 'setpriv'))
  // Go runs each of its tools behind what it is given for them.
  await installGo(`for word; do
  case "$word" in -toolexec=*) words=\${word#*=};; esac
done
eval "$words sh -c 'echo \\$\\$ > \\"\\$FAKE/compiler\\"; exec sleep 600'"
echo "$?" > "$FAKE/outlived"`)
  const module = new URL('./build-programs.ts', import.meta.url).href
  const builder = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { buildPrograms } = await import(${JSON.stringify(module)})
      await buildPrograms(['etcd'], { signal: new AbortController().signal, progress: () => undefined })`,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'], timeout: 60_000 },
  )
  let compiler = 0
  while (compiler === 0 && builder.exitCode === null)
    compiler = Number(await readFile(at('compiler'), 'utf8').catch(() => '0'))
  expect(compiler).to.be.greaterThan(0)
  builder.kill('SIGKILL')
  const gone = await ended(compiler)
  if (!gone) process.kill(compiler, 'SIGKILL')
  expect(gone).to.equal(true)
  expect(await readdir(folder)).to.not.include('outlived')
})

it('says in one line what to install where there is no Go', async () => {
  const failed = await buildPrograms(['etcd'], { signal: never, progress: () => undefined }).catch(
    (error: unknown) => error,
  )
  expect(failed).to.be.instanceOf(UsageError)
  expect((failed as Error).message).to.match(/^etcd is built from .*install Go 1\.26.*$/)
})

it('takes the source of a program of our own as an input, and not its tests', async () => {
  const module = relative(modulePath('.'), at('own'))
  const own: ProgramFamily = { ...family('pause'), module }
  await mkdir(at('own'))
  for (const file of ['go.mod', 'go.sum', 'main.go', 'main_test.go']) await writeFile(at('own', file), 'one')
  const key = await familyKey(own)
  await writeFile(at('own', 'main_test.go'), 'two')
  expect(await familyKey(own)).to.deep.equal(key)
  await writeFile(at('own', 'main.go'), 'two')
  expect(await familyKey(own)).to.not.deep.equal(key)
})

it('pins in each module what the table of versions says, with a sum for everything', async () => {
  const pinned: Record<string, string> = {}
  for (const family of FAMILIES.filter(({ ownSource }) => !ownSource)) {
    const text = await readFile(join(modulePath(family.module), 'go.mod'), 'utf8')
    const sums = await readFile(join(modulePath(family.module), 'go.sum'), 'utf8')
    for (const path of family.packages) {
      expect(text, family.name).to.match(new RegExp(`^(tool |\\t)${path}$`, 'm'))
      const module = Object.keys(PROGRAM_VERSIONS).find((known) => `${path}/`.startsWith(`${known}/`)) ?? path
      const version = new RegExp(`^\\s*(?:require )?${module} (v\\S+)`, 'm').exec(text)?.[1] ?? 'none'
      pinned[module] = version
      expect(sums, family.name).to.include(`${module} ${version} h1:`)
    }
  }
  expect(pinned).to.deep.equal(PROGRAM_VERSIONS)
})

/** Stands for Go: builds programs that name every version there is, and has one module with a manifest. */
async function installGo(first = ':'): Promise<void> {
  const versions = Object.values(PROGRAM_VERSIONS).join(' ')
  const info = [
    'dep\texample.test/common\tv1.0.0\th1:one',
    'dep\texample.test/replaced\tv1.0.0',
    '=>\texample.test/replaced\tv2.0.0\th1:two',
    'build\tCGO_ENABLED=0',
  ]
  await mkdir(at('module', 'config', 'manifests'), { recursive: true })
  await mkdir(at('module', 'deploy'), { recursive: true })
  await writeFile(at('module', 'config', 'manifests', 'native.yaml'), 'kind: List\n')
  const script = `#!/bin/sh
PATH=/bin:/usr/bin
case "$1 $2" in
  'version ') echo go version go1.26.8 linux/amd64; exit;;
  'version -m') shift 2
    for program; do
      printf '%s: go1.26.8\\n\\tpath\\tgo.universe.tf/metallb/%s\\n' "$program" "\${program##*/}"
      printf '\\t%s\\n' ${info.map((line) => `'${line}'`).join(' ')}
    done; exit;;
  'list -m') echo "$FAKE/module"; exit;;
esac
SAYS='${versions}'
${first}
mkdir -p "$GOCACHE" "$GOMODCACHE"
while [ "$1" != -o ]; do shift; done
output=$2; shift 2
make() { printf '#!/bin/sh\\necho "%s"\\n' "$SAYS" > "$1"; chmod +x "$1"; }
case "$output" in
  */) for package; do make "$output\${package##*/}"; done;;
  *) make "$output";;
esac
`
  await writeFile(at('bin', 'go'), script)
  await chmod(at('bin', 'go'), 0o755)
}

/** Whether a process ends; it may take a moment until the one that adopted it has asked. */
async function ended(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 500; attempt++) {
    if ((await identify(pid)) === undefined) return true
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return false
}
