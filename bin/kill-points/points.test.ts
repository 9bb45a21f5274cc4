import { test } from 'node:test'
import { expect } from 'chai'
import type { Exchange } from '../../support/interference/journal.ts'
import type { Verb } from '../../support/interference/request-info.ts'
import { describePoint, planPoints, randomFrom, type Write, writesOf } from './points.ts'

const asked = (verb: Verb, resource: string, code?: number): Exchange => ({
  at: 0,
  client: 'the suite',
  path: '/',
  interference: [],
  verb,
  resource,
  ...(code !== undefined && { code }),
})

const writes = (count: number): readonly Write[] =>
  Array.from({ length: count }, (_, nth) => ({ verb: 'create' as const, resource: 'configmaps', nth }))

const plan = (count: number, points?: number) =>
  planPoints(writes(count), { count: points, runMs: 1_000, random: randomFrom(1) })

test('writes are counted by verb and resource, without reads, refusals and renewals of the lease', () => {
  const found = writesOf([
    asked('list', 'nodes', 200),
    asked('create', 'leases', 201),
    asked('patch', 'leases', 200),
    asked('patch', 'nodes', 409),
    asked('patch', 'nodes', 200),
    asked('create', 'configmaps', 201),
    asked('patch', 'nodes', 200),
  ])
  expect(found).to.deep.equal([
    { verb: 'create', resource: 'leases', nth: 0 },
    { verb: 'patch', resource: 'nodes', nth: 0 },
    { verb: 'create', resource: 'configmaps', nth: 0 },
    { verb: 'patch', resource: 'nodes', nth: 1 },
  ])
})

test('each write has a point before and one after it, and random moments make fifty of them', () => {
  const points = plan(20)
  expect(points).to.have.length(50)
  const sides = points.flatMap(({ moment }) =>
    'write' in moment ? [`${moment.side} ${moment.write.nth}`] : [],
  )
  expect(sides).to.deep.equal(writes(20).flatMap(({ nth }) => [`before ${nth}`, `after ${nth}`]))
  const random = points.flatMap(({ moment }) => ('afterMs' in moment ? [moment.afterMs] : []))
  expect(random).to.have.length(10)
  for (const ms of random) expect(ms).to.be.within(0, 999)
  expect(plan(40)).to.have.length(80)
})

test('both victims are killed before a write and after one, from four points on', () => {
  for (const count of [4, 5, 21, 39, 50]) {
    const kinds = plan(20, count).map((point) =>
      describePoint(point).replace(/ \w+ configmaps.*| \d+ ms.*/, ''),
    )
    expect([...new Set(kinds)], `${count} points`).to.include.members([
      'the whole run killed before',
      'the whole run killed after',
      'the command line killed before',
      'the command line killed after',
    ])
  }
})

test('of fewer points than there are none is tried twice', () => {
  for (let count = 1; count < 40; count++) {
    const moments = plan(20, count).map(({ moment }) => JSON.stringify(moment))
    expect(new Set(moments), `${count} points`).to.have.property('size', count)
  }
})

test('somebody else is there once for each victim, whatever the number of points', () => {
  for (const count of [4, 6, 8, 50]) {
    const planted = plan(20, count).filter(({ isPlanted }) => isPlanted)
    expect(planted.map(({ victim }) => victim).toSorted(), `${count} points`).to.deep.equal([
      'the command line',
      'the whole run',
    ])
  }
})

test('the same seed gives the same moments, another one others', () => {
  const three = (seed: number): number[] => Array.from({ length: 3 }, randomFrom(seed))
  expect(three(7)).to.deep.equal(three(7)).and.not.to.deep.equal(three(8))
})
