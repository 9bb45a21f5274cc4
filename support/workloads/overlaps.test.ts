import { test } from 'node:test'
import { expect } from 'chai'
import type { Moment } from '../pods/pod-record.ts'
import { ordinalLives, overlaps } from './overlaps.ts'

const at = (second: number): string => new Date(second * 1_000).toISOString().replace('.000Z', 'Z')

function moments(node: string, started: number, finished?: number): readonly Moment[] {
  const containerID = `${node}-${started}`
  const startedAt = at(started)
  const state =
    finished === undefined
      ? { running: { startedAt } }
      : { terminated: { exitCode: 0, startedAt, finishedAt: at(finished), containerID } }
  const pod = {
    metadata: { name: 'game-0', uid: containerID },
    spec: { nodeName: node },
    status: { containerStatuses: [{ name: 'main', containerID, state }] },
  }
  return [{ at: 0, pod, gone: finished !== undefined }]
}

const judged = (...record: (readonly Moment[])[]): readonly string[] =>
  overlaps(ordinalLives(record, 'game-0'))

test('one after the other is no overlap, in whatever order they were recorded', () => {
  expect(judged(moments('b', 20), moments('a', 10, 20))).to.deep.equal([])
})

test('one that begins before the other ended is told, with both nodes and times', () => {
  expect(judged(moments('a', 10, 21), moments('b', 20))).to.deep.equal([
    'game-0 began on b at 1970-01-01T00:00:20.000Z, ended on a: 1970-01-01T00:00:21.000Z',
  ])
})

test('an end that nobody told of is no end', () => {
  expect(judged(moments('a', 10), moments('b', 20))).to.deep.equal([
    'game-0 began on b at 1970-01-01T00:00:20.000Z, ended on a: nobody said when',
  ])
})

test('pods of other names don’t count', () => {
  expect(ordinalLives([moments('a', 10)], 'game-1')).to.deep.equal([])
})
