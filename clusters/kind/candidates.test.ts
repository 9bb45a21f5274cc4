import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { ClusterSettings } from '../provider.ts'
import { type Candidate, candidates } from './candidates.ts'
import { expectedImages } from './from-packages/built-images.ts'
import { ToolError } from './run-tool.ts'
import { PUBLISHED_IMAGES } from './versions.ts'

const INSIDE = { 'poolwright.dev/inside': 'no-network csi=ours/driver:1 metallb workload=ours/workload:1' }
const METALLB = ['quay.io/metallb/controller:v0.15.2', 'quay.io/metallb/speaker:v0.15.2']

let folder: string
/** Images that the engine has, with their labels. */
let images: Map<string, Record<string, string>>
/** Images that a registry gives. */
let registry: Set<string>
let archives: Record<string, string>
/** Archives that were loaded, in this order. */
let loads: string[]
const cacheHome = process.env.XDG_CACHE_HOME

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kind-images-'))
  images = new Map()
  registry = new Set()
  archives = {}
  loads = []
  process.env.XDG_CACHE_HOME = join(folder, 'cache')
  // As a build leaves them; else they would be fetched.
  const { metallb } = await expectedImages()
  await mkdir(dirname(metallb), { recursive: true })
  await writeFile(metallb, 'of the build')
})
afterEach(async () => {
  if (cacheHome === undefined) delete process.env.XDG_CACHE_HOME
  else process.env.XDG_CACHE_HOME = cacheHome
  await rm(folder, { recursive: true, force: true })
})

test('a node image of ours tells what it has inside, so nothing else is loaded', async () => {
  images.set('ours/node:1', INSIDE)
  images.set('ours/workload:1', WORKLOAD)
  const chosen = await only({ nodeImage: 'ours/node:1' }).obtain()
  assert.equal(chosen.workload, 'ours/workload:1')
  assert.equal(chosen.ownPodNetwork, true)
  assert.deepEqual(chosen.csi, ['node-folder', 'shared-folder'])
  assert.equal(chosen.csiDriver, 'ours/driver:1')
  assert.deepEqual(chosen.sideLoaded, [])
  assert.equal(await chosen.metallb(), 'of ours/node:1')
})

test('what runs outside the nodes has to be in the engine, although the nodes have it inside', async () => {
  images.set('ours/node:1', INSIDE)
  await assert.rejects(only({ nodeImage: 'ours/node:1' }).obtain(), /pulling ours\/workload:1/)
})

test('another workload image than the one inside is loaded beside it', async () => {
  images.set('ours/node:1', INSIDE)
  images.set('theirs/workload:2', {})
  const settings = { nodeImage: 'ours/node:1', workloadImage: 'theirs/workload:2' }
  const { workload, sideLoaded } = await only(settings).obtain()
  assert.equal(workload, 'theirs/workload:2')
  assert.deepEqual(sideLoaded, ['theirs/workload:2'])
})

test('a named image that the engine lacks is pulled, and the failure names it', async () => {
  for (const image of ['kindest/node:v1.36.9', ...METALLB]) registry.add(image)
  const { ownPodNetwork, csi, sideLoaded } = await only({ nodeImage: 'kindest/node:v1.36.9' }).obtain()
  assert.equal(ownPodNetwork, false)
  assert.deepEqual(csi, [])
  assert.deepEqual(sideLoaded, METALLB)
  for (const image of METALLB) assert.ok(images.has(image), `${image} is to be loaded and was not pulled`)
  await assert.rejects(only({ nodeImage: 'gone/node:1' }).obtain(), /pulling gone\/node:1/)
})

test('archives of a folder are known by what they are for', async () => {
  await save('ours/workload:1', 'ours/node:1')
  const { node, workload } = await only({ images: folder }).obtain()
  assert.deepEqual([node, workload], ['ours/node:1', 'ours/workload:1'])
})

test('a folder that was loaded is known again, until an archive or an image is another', async () => {
  await save('ours/workload:1', 'ours/node:1')
  const candidate = only({ images: folder })
  assert.equal(await candidate.expected(), undefined)
  const { metallb: _, ...chosen } = await candidate.obtain()
  const { metallb: __, ...expected } = (await candidate.expected()) ?? {}
  assert.deepEqual(expected, chosen)
  await candidate.obtain()
  assert.equal(loads.length, 2)
  images.set('ours/workload:1', { ...WORKLOAD, another: 'image of that name' })
  assert.equal(await candidate.expected(), undefined)
  await candidate.obtain()
  assert.equal(loads.length, 4)
  await utimes(join(folder, '0.tar'), 1, 1)
  assert.equal(await candidate.expected(), undefined)
})

test('CSI images among the archives are recognised, ours by what they are for', async () => {
  const published = ['csiHostPath', 'csiNodeDriverRegistrar', 'csiProvisioner', 'csiAttacher'] as const
  const csiImages = published.map((name) => PUBLISHED_IMAGES[name])
  await save('kindest/node:v1.36.9', 'ours/driver:1', ...METALLB, ...csiImages)
  const chosen = await only({ images: folder }).obtain()
  assert.deepEqual(chosen.csi, ['host-path', 'shared-folder'])
  assert.equal(chosen.csiDriver, 'ours/driver:1')
  assert.deepEqual(chosen.sideLoaded.toSorted(), [...METALLB, ...csiImages, 'ours/driver:1'].toSorted())
})

test('without the published driver ours stands in for it, and without either there is no part', async () => {
  await save('kindest/node:v1.36.9', 'ours/driver:1', ...METALLB, PUBLISHED_IMAGES.csiProvisioner)
  assert.deepEqual((await only({ images: folder }).obtain()).csi, ['node-folder'])
  await save('kindest/node:v1.36.9', ...METALLB, PUBLISHED_IMAGES.csiProvisioner)
  assert.deepEqual((await only({ images: folder }).obtain()).csi, [])
})

test('behind a wall what is missing is said before there is a node', async () => {
  await save('kindest/node:v1.36.9')
  await assert.rejects(only({ images: folder }).obtain(), /pulling quay.io\/metallb\/controller/)
  await save('kindest/node:v1.36.9', ...METALLB)
  await writeFile(join(folder, 'metallb-native.yaml'), 'another text')
  await assert.rejects(
    only({ images: folder }).obtain(),
    /metallb-native.yaml is not the text that is pinned/,
  )
})

test('a folder without a node image, or without any archive, is refused by name', async () => {
  await assert.rejects(only({ images: folder }).obtain(), /has no image archive/)
  await assert.rejects(only({ images: join(folder, 'gone') }).obtain(), /can't be read \(ENOENT\)/)
  await save('ours/workload:1')
  await assert.rejects(only({ images: folder }).obtain(), /known for a node image \(ours\/workload:1\)/)
})

test('without a choice what is published comes first, then what is built', async () => {
  const [published, built, ...more] = all({})
  assert.deepEqual([published?.origin, built?.origin, more.length], ['pulled', 'built from packages', 0])
  assert.equal((await published?.expected())?.node, PUBLISHED_IMAGES.node)
  assert.match((await built?.expected())?.node ?? '', /^poolwright.dev\/node:v1.36/)
  assert.equal(only({ fromPackages: true }).origin, 'built from packages')
})

test('building and naming an image contradict each other', () => {
  assert.throws(
    () => all({ fromPackages: true, nodeImage: 'x' }),
    /goes with neither --node-image nor --images/,
  )
})

function only(settings: ClusterSettings): Candidate {
  const [candidate, ...more] = all(settings)
  assert.ok(candidate && more.length === 0)
  return candidate
}

function all(settings: ClusterSettings): readonly Candidate[] {
  const engine = {
    endpoint: '',
    environment: {},
    serverVersion: '',
    cgroupVersion: 2 as const,
    dataRoot: '',
    ours: false,
  }
  const { signal } = new AbortController()
  const progress = (): undefined => undefined
  return candidates({ settings, engine, tools: { docker }, signal, progress, installPrograms: undefined })
}

/** Archives of these images are all that the folder has. */
async function save(...saved: readonly string[]): Promise<void> {
  for (const name of Object.keys(archives)) await rm(join(folder, name))
  archives = Object.fromEntries(saved.map((image, index) => [`${index}.tar`, image]))
  for (const [name, image] of Object.entries(archives)) await writeFile(join(folder, name), image)
}

/** The engine as far as images go. */
async function docker(words: readonly string[], run: { readonly for: string }): Promise<string> {
  const last = words.at(-1) ?? ''
  if (words[0] === 'image') {
    const labels = images.get(last)
    if (!labels) throw new ToolError(run.for, 'docker ended with code 1', `Error: No such image: ${last}`)
    return words.includes('{{.Id}}') ? `sha256:${JSON.stringify(labels).length}\n` : JSON.stringify(labels)
  }
  if (words[0] === 'run') return `of ${words.at(-2)}`
  if (words[0] === 'pull') {
    if (!registry.has(last)) throw new ToolError(run.for, 'docker ended with code 1', 'connection refused')
    images.set(last, {})
    return ''
  }
  assert.equal(words[0], 'load')
  const image = archives[last.slice(folder.length + 1)] ?? ''
  loads.push(image)
  images.set(image, ROLES[image] ?? {})
  return `Loaded image: ${image}\n`
}

const WORKLOAD = { 'poolwright.dev/image-role': 'workload' }
const ROLES: Readonly<Record<string, Record<string, string>>> = {
  'ours/node:1': { 'poolwright.dev/image-role': 'node', ...INSIDE },
  'ours/workload:1': WORKLOAD,
  'ours/driver:1': { 'poolwright.dev/image-role': 'csi-driver' },
}
