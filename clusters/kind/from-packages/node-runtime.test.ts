import assert from 'node:assert/strict'
import { access } from 'node:fs/promises'
import { afterEach, test } from 'node:test'
import { UsageError } from '../../../src/contract/errors.ts'
import { planImages } from './image-plan.ts'
import { nodeBinary } from './node-runtime.ts'

const { arch } = process
const here = process.platform === 'linux' && (arch === 'x64' || arch === 'arm64')

afterEach(() => Object.defineProperty(process, 'arch', { value: arch }))

test('images are planned, though not built, on a machine without the Node that goes into them', async () => {
  const plan = await planImages()
  // npm installs the one that fits this machine.
  Object.defineProperty(process, 'arch', { value: arch === 'x64' ? 'arm64' : 'x64' })
  assert.notEqual((await planImages()).workload.inputs, plan.workload.inputs)
  await assert.rejects(nodeBinary(), (error: unknown) => {
    assert.ok(error instanceof UsageError)
    assert.match(error.message, /node-linux-\S+ \d+\.\d+\.\d+, which is not installed: npm ci/)
    return true
  })
})

test('the Node that is installed is the one that was planned', { skip: !here }, async () => {
  await access(await nodeBinary())
})
