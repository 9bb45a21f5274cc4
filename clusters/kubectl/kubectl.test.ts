import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { execa } from 'execa'

const BUILD = fileURLToPath(new URL('./build.ts', import.meta.url))
const FIND = fileURLToPath(new URL('./find-kubectl.ts', import.meta.url))

let folder: string
const at = (...names: string[]): string => join(folder, ...names)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'poolwright-kubectl-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('builds once, at a path that is only there when it is whole', async () => {
  await installGo('v1.36.3')
  const first = await build()
  expect(first.exitCode).to.equal(0)
  expect(await builds()).to.deep.equal([first.stdout.split('/').at(-3)])
  const second = await build()
  expect(second.stdout).to.equal(first.stdout)
  expect(await goRuns()).to.equal(1)
})

it('builds once when two processes ask at the same time', async () => {
  await installGo('v1.36.3', 'sleep 1')
  const [one, other] = await Promise.all([build(), build()])
  expect([one.exitCode, other.exitCode]).to.deep.equal([0, 0])
  expect(one.stdout).to.equal(other.stdout)
  expect(await goRuns()).to.equal(1)
})

it('asks Go for a static, read-only build with a cache of its own', async () => {
  await installGo('v1.36.3')
  await build()
  const asked = await readFile(at('asked'), 'utf8')
  expect(asked).to.match(
    /^0 -mod=readonly -trimpath .*\/cache\/poolwright\/go\/build build .*gitVersion=v1\.36\.3/m,
  )
})

it('keeps no Go caches, unless another build had them already', async () => {
  await installGo('v1.36.3', 'mkdir -p "$GOCACHE/00"')
  await build()
  expect(await readdir(at('cache', 'poolwright'))).to.deep.equal(['artifacts'])
  await rm(at('cache', 'poolwright', 'artifacts'), { recursive: true })
  await mkdir(at('cache', 'poolwright', 'go', 'modules'), { recursive: true })
  await build()
  expect(await readdir(at('cache', 'poolwright', 'go'))).to.deep.equal(['build', 'modules'])
})

it('leaves nothing behind when Go fails', async () => {
  await installGo('v1.36.3', 'exit 1')
  const { exitCode, stderr } = await build()
  expect(exitCode).to.equal(2)
  expect(stderr).to.include('go ended with code 1')
  expect(await builds()).to.deep.equal([])
})

it('refuses a build of another version', async () => {
  await installGo('v1.35.0')
  expect((await build()).exitCode).to.not.equal(0)
  expect(await builds()).to.deep.equal([])
})

it('leaves nothing behind when it is interrupted', async () => {
  await installGo('v1.36.3', 'echo $$ > "$STARTED"; exec sleep 60')
  const interruption = new AbortController()
  const building = build(interruption.signal)
  while ((await readFile(at('started'), 'utf8').catch(() => '')) === '') await new Promise(setImmediate)
  interruption.abort()
  expect((await building).exitCode).to.equal(130)
  expect(await builds()).to.deep.equal([])
})

it('sweeps up what a killed build left behind', async () => {
  await installGo('v1.36.3')
  await mkdir(at('cache', 'poolwright', 'artifacts', '.building-4194305-00000000-abcdef', 'bin'), {
    recursive: true,
  })
  await build()
  expect((await builds()).join()).not.to.include('.building')
})

it('says in one line what to install where there is no Go', async () => {
  await mkdir(at('bin'))
  const { exitCode, stderr } = await build()
  expect(exitCode).to.equal(2)
  expect(stderr.trim().split('\n')).to.have.length(1)
  expect(stderr).to.include('install Go 1.26')
})

it('takes a kubectl 1.36 from the path, and never another', async () => {
  await installKubectl('old', 'v1.32.4')
  expect(await find(at('old'))).to.equal('undefined')
  await installKubectl('new', 'v1.36.1')
  expect(await find(`${at('old')}:${at('new')}`)).to.equal(at('new', 'kubectl'))
})

it('prefers the one that was built', async () => {
  await installGo('v1.36.3')
  const { stdout } = await build()
  await installKubectl('new', 'v1.36.1')
  expect(await find(at('new'))).to.equal(stdout)
})

interface Ended {
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
}

async function build(cancelSignal?: AbortSignal): Promise<Ended> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [BUILD], {
    env: {
      PATH: at('bin'),
      XDG_CACHE_HOME: at('cache'),
      STARTED: at('started'),
      ASKED: at('asked'),
    },
    extendEnv: false,
    reject: false,
    timeout: 60_000,
    ...(cancelSignal && { cancelSignal }),
  })
  return { exitCode, stdout, stderr }
}

async function find(path: string): Promise<string> {
  const script = `import { findKubectl } from ${JSON.stringify(FIND)}; console.log(await findKubectl())`
  const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: path, XDG_CACHE_HOME: at('cache') },
    extendEnv: false,
    timeout: 60_000,
  })
  return stdout
}

/** Stands for Go: notes what it was asked, and builds a kubectl that says the given version. */
async function installGo(version: string, first = ':'): Promise<void> {
  await mkdir(at('bin'))
  await symlink('/usr/bin/nice', at('bin', 'nice'))
  await install(
    at('bin'),
    'go',
    `PATH=/bin:/usr/bin
if [ "$1" = version ]; then echo go version go1.26.8 linux/amd64; exit 0; fi
echo "$CGO_ENABLED $GOFLAGS $GOCACHE $@" >> "$ASKED"
${first}
while [ "$1" != -o ]; do shift; done
cat > "$2" <<'END'
#!/bin/sh
echo '{"clientVersion":{"gitVersion":"${version}"}}'
END
chmod +x "$2"`,
  )
}

function installKubectl(name: string, version: string): Promise<void> {
  return install(at(name), 'kubectl', `echo '{"clientVersion":{"gitVersion":"${version}"}}'`)
}

async function install(directory: string, name: string, script: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(directory, name), 0o755)
}

function builds(): Promise<string[]> {
  return readdir(at('cache', 'poolwright', 'artifacts')).catch(() => [])
}

async function goRuns(): Promise<number> {
  return (await readFile(at('asked'), 'utf8')).trim().split('\n').length
}
