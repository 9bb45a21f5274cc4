import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ApiFailure } from '../api/api-failure.ts'
import { openPace } from './pace.ts'
import { checkPolicy } from './retry-policy.ts'

/** The delays after attempts 1, 2, … of a policy by count, every draw being this part of its window. */
function delays(part: number, count: number, retryAfterMs?: number): number[] {
  const pace = openPace(checkPolicy({ attempts: count }), () => part)
  const failure = new ApiFailure('conflict', 'modified', retryAfterMs === undefined ? {} : { retryAfterMs })
  return Array.from({ length: count }, (_, at) =>
    pace.delayAfter({ failure, tries: at + 1, took: 1, left: Number.POSITIVE_INFINITY }),
  )
}

describe('the pace of attempts', () => {
  it('draws from a window that doubles each time, up to a minute', () => {
    expect(delays(1, 9)).to.deep.equal([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  })

  it('draws from the whole window', () => {
    expect(delays(0, 4)).to.deep.equal([0, 0, 0, 0])
    expect(delays(0.25, 4)).to.deep.equal([125, 250, 500, 1_000])
  })

  it('waits as long as the server asks, but no longer than a minute', () => {
    expect(delays(0.5, 3, 700)).to.deep.equal([700, 700, 1_000])
    expect(delays(0, 1, 3_600_000)).to.deep.equal([60_000])
  })

  it('stays within a quarter of the time left under a deadline, however busy the pool is', () => {
    const pace = openPace(checkPolicy({ deadlineMs: 60_000 }), () => 1)
    const failure = new ApiFailure('conflict', 'modified')
    for (const left of [40_000, 4_000, 400])
      for (let tries = 1; tries < 20; tries++)
        expect(pace.delayAfter({ failure, tries, took: 1_000, left })).to.be.at.most(left / 4)
  })
})
