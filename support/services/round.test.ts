import { describe, it } from 'node:test'
import { expect } from 'chai'
import { isAnsweredBy, isUnanswered, roundOf, showRound } from './round.ts'

describe('a round of connections', () => {
  it('is answered by those whose names came, by TCP as by UDP', () => {
    const round = roundOf({ exitCode: 0, stdout: 'late\nsteady hello\nlate\n' })
    expect(isAnsweredBy(round, ['steady', 'late'])).to.equal(true)
    expect(isAnsweredBy(round, ['late'])).to.equal(false)
    expect(isAnsweredBy(round, ['late', 'other', 'steady'])).to.equal(false)
    expect(isUnanswered(round)).to.equal(false)
    expect(showRound(round)).to.equal('late 2 times, steady 1 times')
  })

  it('that broke off was neither answered by all nor by nobody', () => {
    const round = roundOf({ exitCode: 1, stdout: 'steady\nconnect ECONNREFUSED 192.0.2.1:80\n' })
    expect(isAnsweredBy(round, ['steady'])).to.equal(false)
    expect(isUnanswered(round)).to.equal(false)
    expect(showRound(round)).to.equal('steady 1 times, connect ECONNREFUSED 192.0.2.1:80')
  })

  it('without an answer says why', () => {
    expect(isUnanswered(roundOf({ exitCode: 1, stdout: 'no answer within 3000 ms\n' }))).to.equal(true)
  })

  it('of an instrument that is broken is no round', () => {
    expect(() => roundOf({ exitCode: 1, stdout: '' })).to.throw('code 1, and said nothing')
    expect(() => roundOf({ exitCode: 137, stdout: 'steady\n' })).to.throw('code 137')
  })
})
