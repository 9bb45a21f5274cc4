import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingCapabilities } from './gates.ts'

test('a scenario runs where the rung has what its tags ask for', () => {
  assert.deepEqual(missingCapabilities(['@pool', '@needs-node-creation'], ['node-creation']), [])
  assert.deepEqual(missingCapabilities(['@needs-running-pods', '@needs-node-creation'], ['node-creation']), [
    'running-pods',
  ])
})

test('a tag that no rung can meet is a mistake, not a reason to skip', () => {
  assert.throws(() => missingCapabilities(['@needs-runing-pods'], []), /asks for what no cluster has/)
  assert.throws(() => missingCapabilities(['@needs-toString'], []), /asks for what no cluster has/)
})
