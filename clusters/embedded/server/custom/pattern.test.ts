import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { ApiError } from '../status.ts'
import { matches } from './pattern.ts'

describe('a pattern of a definition', () => {
  it('is given up where all values of a body together take too long, and tried again for the next body', async () => {
    const limits = { match: 10_000, body: 50 }
    const each = (): void => {
      for (let count = 0; count < 20_000; count++)
        matches('^(a+)+$', `${'a'.repeat(8)}!`, 'spec.list[0]', limits)
    }
    expect(each).to.throw(ApiError, 'spec.list[0]').with.property('code', 501)
    await nextTurn()
    expect(matches('^(a+)+$', 'aaa', 'spec.a', limits)).to.equal(true)
  })
})
