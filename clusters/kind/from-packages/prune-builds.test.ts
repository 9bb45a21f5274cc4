import assert from 'node:assert/strict'
import { access, mkdir } from 'node:fs/promises'
import { afterEach, beforeEach, test } from 'node:test'
import { whileLocked } from '../../this-machine/name-lock.mjs'
import { userCache } from '../../this-machine/user-cache.ts'
import { type FakeMachine, fakeMachine } from './build-fixture.ts'
import { imagesLock } from './image-job.ts'
import { planImages } from './image-plan.ts'
import { pruneBuilds } from './prune-builds.ts'

const { signal } = new AbortController()

let machine: FakeMachine
let said: string[]

beforeEach(async () => {
  machine = await fakeMachine()
  said = []
})
afterEach(() => machine.dispose())

const prune = (all = false, progress = (line: string): void => void said.push(line)): Promise<void> =>
  pruneBuilds({ all, signal, progress })

test('while images are built nothing is removed', async () => {
  const scratch = userCache('scratch', 'images-abc')
  await mkdir(scratch, { recursive: true })
  let pruning: Promise<void> | undefined
  await whileLocked(imagesLock(), signal, async () => {
    await new Promise<void>((waiting) => {
      pruning = prune(false, () => waiting())
      pruning.then(waiting, waiting)
    })
    await access(scratch)
  })
  await pruning
  await assert.rejects(access(scratch))
})

test('images that today’s inputs make stay, also those that go beside a pulled node image', async () => {
  const { node, workload, csiDriver } = await planImages()
  for (const each of [node, workload, csiDriver]) await machine.addPlanned(each)
  await machine.addImage('poolwright.dev/node:old')
  await prune()
  assert.deepEqual(await machine.images(), [node, workload, csiDriver].map(({ image }) => image).toSorted())
  await prune(true)
  assert.deepEqual(await machine.images(), [])
})

test('an image that can’t be removed is said to stay, with the reason', async () => {
  await machine.addImage('poolwright.dev/node:old')
  await machine.failFor('^image rm', 'conflict: container 1f is using its referenced image 2e')
  await prune()
  assert.ok(said.includes('poolwright.dev/node:old is in use and stays'), said.join('\n'))
  await machine.failFor('^image rm', 'Error response from daemon: read-only file system')
  await prune()
  assert.match(said.join('\n'), /poolwright.dev\/node:old can't be removed: .*read-only file system/)
})
