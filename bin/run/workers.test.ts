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

test('on a cluster that they share, the whole suite has some however many cores there are', () => {
  const shared = { ownedByRun: false }
  expect([1, 64].map((cores) => chooseWorkers({ provider: shared, paths: [] }, cores))).to.deep.equal([3, 3])
  expect(chooseWorkers({ provider: shared, paths: ['a.feature'] }, 4)).to.equal(1)
})
