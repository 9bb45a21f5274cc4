import { test } from 'node:test'
import { expect } from 'chai'
import { chooseWorkers } from './workers.ts'

const owned = { ownedByRun: true }

test('the whole suite has a worker per core, within reason', () => {
  expect([1, 2, 4, 64].map((cores) => chooseWorkers({ provider: owned, paths: [] }, cores))).to.deep.equal([
    1, 2, 4, 4,
  ])
})

test('a selection has one worker', () => {
  expect(chooseWorkers({ provider: owned, paths: ['a.feature'] }, 4)).to.equal(1)
  expect(chooseWorkers({ provider: owned, paths: [], tags: '@a' }, 4)).to.equal(1)
})

test('a cluster that workers would share has one worker', () => {
  expect(chooseWorkers({ provider: { ownedByRun: false }, paths: [] }, 4)).to.equal(1)
})
