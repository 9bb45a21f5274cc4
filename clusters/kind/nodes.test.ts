import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { type NodeContainer, readNodeRecord, recordNodes, renewNodeRecord } from './nodes.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kind-nodes-'))
})
afterEach(() => rm(directory, { recursive: true }))

const node = (name: string, address: string, running = true): NodeContainer => ({
  name,
  id: name,
  running,
  image: 'sha256:1',
  network: { name: 'pool', address },
})

test('an engine that was restarted gives nodes other addresses: those that run are known by theirs, those that are off by the last', async () => {
  await recordNodes({ directory }, [node('one', '172.18.0.2'), node('two', '172.18.0.3')])
  const renewed = await renewNodeRecord({ directory }, [node('one', '172.18.0.4'), node('two', '', false)])
  assert.deepEqual(renewed?.addresses, { one: '172.18.0.4', two: '172.18.0.3' })
  assert.deepEqual(await readNodeRecord({ directory }), renewed)
})

test('where nobody wrote any down, none is made up', async () => {
  assert.equal(await renewNodeRecord({ directory }, [node('one', '172.18.0.4')]), undefined)
})
