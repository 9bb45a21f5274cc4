import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { execa } from 'execa'
import { lacksSysResourceIn } from './capabilities.ts'
import { daemonConfig } from './daemon-config.ts'
import { engineFolders } from './engine-folders.ts'

const WRAPPER = fileURLToPath(new URL('./runtime-without-sys-resource.sh', import.meta.url))
const skip = process.platform !== 'linux' && 'an OCI runtime needs Linux'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'poolwright-runtime-'))
  await writeFile(join(folder, 'runc'), `#!/bin/sh\necho "$@"\n`)
  await chmod(join(folder, 'runc'), 0o755)
})
afterEach(() => rm(folder, { recursive: true }))

const FIRST = ['CAP_SYS_RESOURCE', 'CAP_KILL', 'CAP_CHOWN']
const MIDDLE = ['CAP_KILL', 'CAP_SYS_RESOURCE', 'CAP_CHOWN']
const LAST = ['CAP_KILL', 'CAP_CHOWN', 'CAP_SYS_RESOURCE']

function processWith(args: readonly string[]) {
  const capabilities = { bounding: FIRST, effective: MIDDLE, permitted: LAST, ambient: ['CAP_SYS_RESOURCE'] }
  return { terminal: false, args, env: ['NEEDS="CAP_SYS_RESOURCE",'], capabilities }
}

function expectDropped(process: ReturnType<typeof processWith>, args: readonly string[]): void {
  const { bounding, effective, permitted, ambient } = process.capabilities
  expect(bounding).to.deep.equal(['CAP_KILL', 'CAP_CHOWN'])
  expect(effective).to.deep.equal(['CAP_KILL', 'CAP_CHOWN'])
  expect(permitted).to.deep.equal(['CAP_KILL', 'CAP_CHOWN'])
  expect(ambient).to.deep.equal([])
  expect(process.args).to.deep.equal(args)
  expect(process.env).to.deep.equal(['NEEDS="CAP_SYS_RESOURCE",'])
}

it('takes the capability out of the bundle before a container is created', { skip }, async () => {
  const args = ['capsh', '--drop', 'CAP_SYS_RESOURCE', 'now']
  const config = join(folder, 'config.json')
  await writeFile(config, JSON.stringify({ ociVersion: '1.0.2', process: processWith(args) }))
  const words = [
    '--root',
    '/run/x',
    '--log-format',
    'json',
    'create',
    '--bundle',
    folder,
    '--pid-file',
    '/p',
    'abc',
  ]
  expect((await run(words)).stdout).to.equal(words.join(' '))
  expectDropped(JSON.parse(await readFile(config, 'utf8')).process, args)
})

it('takes it out of the file of a program before that is started in a container', { skip }, async () => {
  const args = ['echo', 'CAP_SYS_RESOURCE']
  const file = join(folder, 'process')
  await writeFile(file, JSON.stringify(processWith(args)))
  const words = ['--root', '/run/x', 'exec', '--process', file, '--detach', 'abc']
  expect((await run(words)).stdout).to.equal(words.join(' '))
  expectDropped(JSON.parse(await readFile(file, 'utf8')), args)
})

it('hands everything else on as it is', { skip }, async () => {
  const words = ['--root', '/run/x', 'kill', '--all', 'abc', '9']
  expect((await run(words)).stdout).to.equal(words.join(' '))
})

it('is the runtime only where the machine lacks the capability', () => {
  const folders = engineFolders('/cache')
  expect(daemonConfig(folders, { withoutSysResource: false })).to.not.have.any.keys(
    'runtimes',
    'default-runtime',
  )
  const { runtimes, 'default-runtime': runtime } = daemonConfig(folders, { withoutSysResource: true })
  expect(runtimes).to.deep.equal({ [runtime ?? '']: { path: folders.runtimeWrapper } })
})

it('reads from the bounding set whether the capability can be had', () => {
  expect(lacksSysResourceIn('CapEff:\t0000000000000000\nCapBnd:\t000001ffffffffff\n')).to.equal(false)
  expect(lacksSysResourceIn('CapEff:\t000001ffffffffff\nCapBnd:\t000001fffeffffff\n')).to.equal(true)
  expect(lacksSysResourceIn('')).to.equal(false)
})

function run(words: readonly string[]) {
  return execa(WRAPPER, words, { env: { PATH: `${folder}:/usr/bin:/bin` }, timeout: 30_000 })
}
