import { describe, it } from 'node:test'
import { expect } from 'chai'
import { isWithin, sizeOf } from './address-pool.ts'

describe('a pool of addresses', () => {
  it('has what lies between the first and the last of a range, both included', () => {
    const ranges = ['192.0.2.250-192.0.3.1']
    const within = ['192.0.2.249', '192.0.2.250', '192.0.3.0', '192.0.3.1', '192.0.3.2']
    expect(within.map((address) => isWithin(address, ranges))).to.deep.equal([false, true, true, true, false])
    expect(sizeOf(ranges)).to.equal(8)
  })

  it('has the whole network where a range is one, wherever it is written to begin', () => {
    const ranges = ['198.51.100.8/30', '192.0.2.7/32']
    const within = ['198.51.100.7', '198.51.100.8', '198.51.100.11', '198.51.100.12', '192.0.2.7']
    expect(within.map((address) => isWithin(address, ranges))).to.deep.equal([false, true, true, false, true])
    expect(sizeOf(ranges)).to.equal(5)
  })

  it('refuses what is no address', () => {
    expect(() => isWithin('game.example.com', ['192.0.2.0/24'])).to.throw('"game.example.com"')
  })
})
