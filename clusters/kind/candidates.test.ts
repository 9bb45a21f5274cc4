import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { ClusterSettings } from '../provider.ts'
import { type Candidate, candidates } from './candidates.ts'
import { ToolError } from './run-tool.ts'
import { PUBLISHED_IMAGES } from './versions.ts'

const INSIDE = { 'poolwright.dev/inside': 'no-network csi metallb workload=ours/workload:1' }

let folder: string
/** Images that the engine has, with their labels. */
let images: Map<string, Record<string, string>>
/** Images that a registry gives. */
let registry: Set<string>
let archives: Record<string, string>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kind-images-'))
  images = new Map()
  registry = new Set()
  archives = {}
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a node image of ours tells what it has inside, so nothing else is loaded', async () => {
  images.set('ours/node:1', INSIDE)
  const chosen = await only({ nodeImage: 'ours/node:1' }).obtain()
  assert.equal(chosen.workload, 'ours/workload:1')
  assert.equal(chosen.ownPodNetwork, true)
  assert.deepEqual(chosen.csi, ['node-folder', 'shared-folder'])
  assert.deepEqual(chosen.sideLoaded, [])
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
  registry.add('kindest/node:v1.36.9')
  const { ownPodNetwork, csi } = await only({ nodeImage: 'kindest/node:v1.36.9' }).obtain()
  assert.equal(ownPodNetwork, false)
  assert.deepEqual(csi, [])
  await assert.rejects(only({ nodeImage: 'gone/node:1' }).obtain(), /pulling gone\/node:1/)
})

test('archives of a folder are known by what they are for', async () => {
  archives = { 'a.tar': 'ours/workload:1', 'b.tar': 'ours/node:1' }
  for (const name of Object.keys(archives)) await writeFile(join(folder, name), '')
  const { node, workload } = await only({ images: folder }).obtain()
  assert.deepEqual([node, workload], ['ours/node:1', 'ours/workload:1'])
})

test('a folder without a node image, or without any archive, is refused by name', async () => {
  await assert.rejects(only({ images: folder }).obtain(), /has no image archive/)
  await assert.rejects(only({ images: join(folder, 'gone') }).obtain(), /can't be read \(ENOENT\)/)
  archives = { 'a.tar': 'ours/workload:1' }
  await writeFile(join(folder, 'a.tar'), '')
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

/** The engine as far as images go. */
async function docker(words: readonly string[], run: { readonly for: string }): Promise<string> {
  const last = words.at(-1) ?? ''
  if (words[0] === 'image') {
    const labels = images.get(last)
    if (!labels) throw new ToolError(run.for, 'docker ended with code 1', `Error: No such image: ${last}`)
    return JSON.stringify(labels)
  }
  if (words[0] === 'pull') {
    if (!registry.has(last)) throw new ToolError(run.for, 'docker ended with code 1', 'connection refused')
    images.set(last, {})
    return ''
  }
  assert.equal(words[0], 'load')
  const image = archives[last.slice(folder.length + 1)] ?? ''
  const role = image.includes('node') ? { 'poolwright.dev/image-role': 'node', ...INSIDE } : WORKLOAD
  images.set(image, role)
  return `Loaded image: ${image}\n`
}

const WORKLOAD = { 'poolwright.dev/image-role': 'workload' }
