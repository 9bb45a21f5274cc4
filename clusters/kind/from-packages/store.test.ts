import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { expect } from 'chai'
import { execa } from 'execa'
import { UsageError } from '../../../src/contract/errors.ts'
import {
  type ArtifactRequest,
  artifact,
  artifactPath,
  artifactsFolder,
  listArtifacts,
  prune,
  readArtifact,
} from './store.ts'

const STORE = new URL('./store.ts', import.meta.url).href
const LONG_GONE = '.building-4194305-00000000-abcdef'

let folder: string
const cacheHome = process.env.XDG_CACHE_HOME
const never = new AbortController().signal

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'poolwright store test-'))
  process.env.XDG_CACHE_HOME = folder
})
afterEach(async () => {
  if (cacheHome === undefined) delete process.env.XDG_CACHE_HOME
  else process.env.XDG_CACHE_HOME = cacheHome
  await rm(folder, { recursive: true, force: true })
})

it('makes an artifact once, with a record of what it was made of', async () => {
  let made = 0
  const ask = request({
    make: async (scratch) => {
      made++
      await writeFile(join(scratch, 'program'), 'text')
      return { sum: 'h1:abc' }
    },
  })
  const path = await artifact(ask)
  expect(await artifact(ask)).to.equal(path)
  expect(made).to.equal(1)
  expect(await readFile(join(path, 'program'), 'utf8')).to.equal('text')
  const { record } = (await readArtifact(path)) ?? {}
  expect(record?.inputs).to.deep.equal({ version: '1' })
  expect(record?.facts).to.deep.equal({ sum: 'h1:abc' })
  expect(record?.seconds).to.be.a('number')
})

it('gives other inputs another path, whatever their order', () => {
  const path = (inputs: Record<string, string>): string => artifactPath({ name: 'thing', inputs })
  expect(path({ a: '1', b: '2' })).to.equal(path({ b: '2', a: '1' }))
  expect(path({ a: '1' })).to.not.equal(path({ a: '2' }))
})

it('refuses a name that could lead elsewhere', () => {
  expect(() => artifactPath({ name: '../thing', inputs: {} })).to.throw("can't name an artifact")
})

it('leaves nothing when making fails, and makes it the next time', async () => {
  const failing = artifact(
    request({
      make: async (scratch) => {
        await writeFile(join(scratch, 'half'), '')
        throw new Error('no space')
      },
    }),
  )
  expect(await failing.catch((error: Error) => error.message)).to.equal('no space')
  expect(await readdir(artifactsFolder())).to.deep.equal([])
  expect(await readArtifact(await artifact(request()))).to.not.equal(undefined)
})

it('leaves nothing when it was aborted, although making took no notice', async () => {
  const stop = new AbortController()
  const aborted = artifact(
    request({
      signal: stop.signal,
      make: async () => {
        stop.abort(new Error('stopped'))
        return {}
      },
    }),
  )
  expect(await aborted.catch((error: Error) => error.message)).to.equal('stopped')
  expect(await readdir(artifactsFolder())).to.deep.equal([])
})

it('lets a second process wait for the first', async () => {
  const [one, other] = await Promise.all([inAnotherProcess(), inAnotherProcess()])
  expect(one.path).to.equal(other.path)
  expect([one.made, other.made].sort()).to.deep.equal([0, 1])
})

it('sweeps what a killed process left, and not what a living one is making', async () => {
  let beside: readonly string[] = []
  await mkdir(join(artifactsFolder(), LONG_GONE, 'half'), { recursive: true })
  await artifact(
    request({
      make: async () => {
        await artifact(request({ name: 'other' }))
        beside = (await readdir(artifactsFolder())).filter((name) => name.startsWith('.building-'))
        return {}
      },
    }),
  )
  expect(beside).to.have.length(1)
  expect(beside).to.not.include(LONG_GONE)
})

it('makes again what somebody removed a part of', async () => {
  const path = await artifact(request())
  await rm(join(path, 'artifact.json'))
  expect(await readArtifact(path)).to.equal(undefined)
  expect(await artifact(request())).to.equal(path)
  expect(await readArtifact(path)).to.not.equal(undefined)
})

it('makes again what has a record that nobody can read, and neither lists nor keeps it', async () => {
  const path = await artifact(request())
  for (const torn of ['{"name": "thing", "inp', '', 'null', '[]', '{"name": 1}']) {
    await writeFile(join(path, 'artifact.json'), torn)
    expect(await readArtifact(path), torn).to.equal(undefined)
    expect(await listArtifacts(), torn).to.deep.equal([])
  }
  expect(await artifact(request())).to.equal(path)
  expect((await readArtifact(path))?.record.inputs).to.deep.equal({ version: '1' })
})

it('says in one line that nothing can be written to the cache folder, and how to name another', async () => {
  await writeFile(join(folder, 'file'), '')
  // A file system that takes no folders stands for one that is read-only, which root can't be refused.
  for (const cache of ['/proc/no-cache', join(folder, 'file')]) {
    process.env.XDG_CACHE_HOME = cache
    const failed = await artifact(request()).catch((error: unknown) => error)
    expect(failed, cache).to.be.instanceOf(UsageError)
    expect((failed as Error).message).to.match(/^nothing can be kept in .*: .*; XDG_CACHE_HOME names .*$/)
  }
})

it('prunes all but what is to be kept, and nothing that is not its own', async () => {
  const kept = await artifact(request())
  const unwanted = await artifact(
    request({
      name: 'unwanted',
      make: async (scratch) => {
        await writeFile(join(scratch, 'program'), 'x'.repeat(1000))
        return {}
      },
    }),
  )
  const outside = join(folder, 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'artifact.json'), '{}')
  await symlink(outside, join(artifactsFolder(), `linked-${'0'.repeat(16)}`))
  await mkdir(join(artifactsFolder(), 'by-hand'))
  await mkdir(join(artifactsFolder(), LONG_GONE))
  const paths = (await listArtifacts()).map(({ path }) => path)
  expect(paths).to.have.members([kept, unwanted])
  expect(await prune([kept])).to.be.greaterThan(1000)
  expect((await listArtifacts()).map(({ path }) => path)).to.deep.equal([kept])
  expect(await readdir(outside)).to.deep.equal(['artifact.json'])
  const left = await readdir(artifactsFolder())
  expect(left).to.include('by-hand')
  expect(left.filter((name) => name.startsWith('.'))).to.deep.equal([])
})

function request(changes: Partial<ArtifactRequest> = {}): ArtifactRequest {
  return { name: 'thing', inputs: { version: '1' }, make: async () => ({}), signal: never, ...changes }
}

/** Holds on until the other one waits, or has nothing to wait for. */
async function inAnotherProcess(): Promise<{ path: string; made: number }> {
  const script = `
    import { existsSync, writeFileSync } from 'node:fs'
    import { artifact } from ${JSON.stringify(STORE)}
    let made = 0
    const waits = ${JSON.stringify(join(folder, 'waits'))}
    const path = await artifact({
      name: 'shared', inputs: {}, signal: new AbortController().signal,
      onWait: () => writeFileSync(waits, ''),
      make: async () => {
        made++
        while (!existsSync(waits)) await new Promise((resolve) => setTimeout(resolve, 5))
        return {}
      },
    })
    console.log(JSON.stringify({ path, made }))`
  const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', script], {
    env: { XDG_CACHE_HOME: folder },
    timeout: 60_000,
  })
  return JSON.parse(stdout) as { path: string; made: number }
}
