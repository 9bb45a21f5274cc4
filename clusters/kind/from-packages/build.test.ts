import assert from 'node:assert/strict'
import { access, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { UsageError } from '../../../src/contract/errors.ts'
import { userCache } from '../../this-machine/user-cache.ts'
import { buildImages } from './build.ts'
import { type FakeMachine, fakeMachine } from './build-fixture.ts'
import { hasGoCaches } from './go.ts'
import { type ImagePlan, planImages } from './image-plan.ts'
import { buildOwnImages } from './own-images.ts'
import { unfinishedContainer, unfinishedImage } from './unfinished.ts'

const onLinux = { skip: process.platform !== 'linux' && 'images are built on Linux alone' }

let machine: FakeMachine
let plan: ImagePlan
let said: string[]

beforeEach(async () => {
  machine = await fakeMachine()
  plan = await planImages()
  said = []
})
afterEach(() => machine.dispose())

test('an engine never has an image of ours under somebody else’s name', onLinux, async () => {
  await machine.buildEverything()
  await buildImages(request())
  const asked = await machine.asked()
  const named = asked
    .filter((line) => /^(import|build|commit|tag) /.test(line))
    .map((line) => /--tag (\S+)/.exec(line)?.[1] ?? line.split(' ').at(-1) ?? '')
  assert.ok(named.length > 10)
  for (const name of named) assert.match(name, /^poolwright\.dev\//)
  assert.deepEqual(await machine.images(), [plan.node.image, plan.workload.image])
  // An image has the labels of the container that it was made from, and every node made from it would have them.
  const filling = asked.find((line) => line.startsWith('run ')) ?? ''
  assert.ok(filling.includes('--privileged') && !filling.includes('--label'), filling)
  // Inside the node they are called as kubeadm and the manifests call them.
  const renamed = asked.find((line) => line.includes('images tag')) ?? asked.join(' ')
  for (const name of ['registry.k8s.io/pause:3.10', 'registry.k8s.io/kube-proxy:v1', plan.csiDriver.image])
    assert.ok(renamed.includes(` ${unfinishedImage(name)} ${name}`), name)
})

test('a build that fails half-way leaves neither container nor image nor file', onLinux, async () => {
  await machine.buildEverything()
  await machine.failFor('images import')
  await assert.rejects(buildImages(request()), /filling the node image: .*\n.*it is broken/)
  assert.deepEqual(await machine.images(), [plan.workload.image])
  assert.deepEqual(await machine.containers(), [])
  assert.deepEqual(await readdir(userCache('scratch')), [])
})

test(
  'what a killed build left goes with the next one, and what others are building stays',
  onLinux,
  async () => {
    await machine.buildEverything()
    const others = 'poolwright.dev/building-000000000000/tools:tree'
    for (const each of [plan.node, plan.workload]) await machine.addPlanned(each)
    for (const image of [others, unfinishedImage('registry.k8s.io/pause:3.10')]) await machine.addImage(image)
    await machine.addContainer('poolwright-filling-000000000000-c0ffee')
    await machine.addContainer(unfinishedContainer('c0ffee'))
    await machine.addContainer('poolwright-default-worker')
    await mkdir(userCache('scratch', 'images-abc'), { recursive: true })
    // Our own engine may be somebody else's, who named it to docker.
    await buildImages({ ...request(), engine: { ...machine.engine, ours: true } })
    assert.deepEqual(await machine.images(), [others, plan.node.image, plan.workload.image])
    assert.deepEqual(await machine.containers(), [
      'poolwright-default-worker',
      'poolwright-filling-000000000000-c0ffee',
    ])
    assert.deepEqual(await readdir(userCache('scratch')), [])
  },
)

test('programs of a cluster that are gone are built again although its images stand', onLinux, async () => {
  await machine.buildEverything()
  for (const each of [plan.node, plan.workload]) await machine.addPlanned(each)
  for (const name of ['kind', 'kubectl', 'metallb'] as const) {
    const path = plan.families.get(name) ?? ''
    await rm(join(path, 'artifact.json'))
    await assert.rejects(buildImages(request()), new RegExp(`${name} is built from its Go modules`))
    await writeFile(join(path, 'artifact.json'), JSON.stringify({ name, inputs: {}, facts: {} }))
  }
  await buildImages(request())
})

test('who isn’t root hears it before anything is compiled', onLinux, async () => {
  await machine.install('go', '#!/bin/sh\n: > "$FAKE/compiled"\n')
  for (const build of [buildImages, buildOwnImages])
    await assert.rejects(build({ ...request(), root: false }), (error: unknown) => {
      assert.ok(error instanceof UsageError)
      assert.match(error.message, /only be made by root/)
      return true
    })
  assert.ok(!(await readdir(machine.folder)).includes('compiled'))
})

test('images of our own that can’t be built leave nothing of what Go kept', onLinux, async () => {
  await machine.buildEverything()
  await machine.failFor('^import ')
  await mkdir(userCache('go', 'build'), { recursive: true })
  await assert.rejects(buildOwnImages(request()), /it is broken/)
  assert.equal(await hasGoCaches(), false)
})

test('one of our own images that is missing is made without the other', onLinux, async () => {
  await machine.buildEverything()
  await machine.addPlanned(plan.workload)
  const { csiDriver } = await buildOwnImages(request())
  assert.deepEqual(await machine.images(), [csiDriver, plan.workload.image])
  assert.ok(!(await machine.asked()).some((line) => line.startsWith('build ')))
})

test('a workload image that is gone is made without the node image, which stands', onLinux, async () => {
  await machine.buildEverything()
  await machine.addPlanned(plan.node)
  await buildImages(request())
  assert.deepEqual(await machine.images(), [plan.node.image, plan.workload.image])
  assert.ok(!(await machine.asked()).some((line) => line.startsWith('commit ')))
})

test('what Go kept of an interrupted build goes when the images stand', onLinux, async () => {
  await machine.buildEverything()
  for (const each of [plan.node, plan.workload]) await machine.addPlanned(each)
  await mkdir(userCache('go', 'build'), { recursive: true })
  await buildImages(request())
  await assert.rejects(access(userCache('go')))
})

function request() {
  return {
    engine: machine.engine,
    signal: new AbortController().signal,
    progress: (line: string) => said.push(line),
    installPrograms: undefined,
    root: true,
  }
}
