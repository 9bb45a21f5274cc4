import { describe, it } from 'node:test'
import { expect } from 'chai'
import { nearestPatterns } from './nearest-patterns.ts'

const PATTERNS = [
  'test {test} allocates a node',
  'test {test} releases {address}',
  'the pool shows {address} as {status}',
  '^a pool with (no|empty) data$',
  'windows-instances does not exist',
]

describe('the patterns nearest to a step without definition', () => {
  it('are those it is a slip away from, whatever the values', () => {
    expect(nearestPatterns('test "login" alocates a node', PATTERNS)[0]).to.equal(PATTERNS[0])
    expect(nearestPatterns('the pool shows 192.0.2.10 is available', PATTERNS)[0]).to.equal(PATTERNS[2])
    expect(nearestPatterns('a pool without data', PATTERNS)[0]).to.equal(PATTERNS[3])
  })

  it('are none where nothing is like it', () => {
    expect(nearestPatterns('my cat sleeps', PATTERNS)).to.deep.equal([])
    expect(nearestPatterns('', PATTERNS)).to.deep.equal([])
  })

  it('are three at most', () => {
    const many = Array.from({ length: 9 }, (_, index) => `test {test} allocates a node ${'x'.repeat(index)}`)
    expect(nearestPatterns('test "a" allocates a node', many)).to.deep.equal(many.slice(0, 3))
  })
})
