import { describe, it } from 'node:test'
import { expect } from 'chai'
import { Outcomes, type Performed } from './outcomes.ts'

const performed = (operation: 'allocate' | 'release', code?: 'NoneAvailable'): Performed => ({
  operation,
  request: { testId: 'login', address: '192.0.2.10' },
  outcome: {
    attempts: 1,
    delays: [],
    log: [],
    ...(code && { error: { code, fallbackAllowed: true, message: 'none', remedy: 'wait' } }),
  },
  client: 'implementation',
  startedAt: 0,
  tookMs: 1,
  journalMark: 0,
})

describe('outcomes', () => {
  it('holds an error against the scenario until a step has judged it', () => {
    const outcomes = new Outcomes()
    const refused = performed('allocate', 'NoneAvailable')
    outcomes.record(refused)
    outcomes.record(performed('release'))
    expect(outcomes.unasserted()).to.deep.equal([refused])
    outcomes.markAsserted(refused.outcome)
    expect(outcomes.unasserted()).to.deep.equal([])
  })

  it('gives what succeeded, and fails with the error of what did not', () => {
    const outcomes = new Outcomes()
    const done = performed('release')
    const refused = performed('allocate', 'NoneAvailable')
    outcomes.record(done)
    outcomes.record(refused)
    expect(outcomes.lastSucceeded('release')).to.equal(done.outcome)
    expect(() => outcomes.lastSucceeded('allocate')).to.throw('NoneAvailable')
    expect(outcomes.unasserted(), 'errors told by nobody').to.deep.equal([])
  })

  it('finds the last operation, or the last of a kind, and says when there was none', () => {
    const outcomes = new Outcomes()
    expect(() => outcomes.last()).to.throw('no operation was asked for')
    const allocate = performed('allocate')
    const release = performed('release')
    outcomes.record(allocate)
    outcomes.record(release)
    expect(outcomes.last()).to.equal(release)
    expect(outcomes.last('allocate')).to.equal(allocate)
    expect(() => outcomes.last('reclaim')).to.throw('no reclaim was asked for')
  })
})
