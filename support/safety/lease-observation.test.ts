import { describe, it } from 'node:test'
import { expect } from 'chai'
import { HOLDER_ANNOTATION } from '../../src/contract/names.ts'
import { type Holder, thisHolder } from './holder.ts'
import { type Lease, LeaseObservation } from './lease-observation.ts'

const own = thisHolder('own', '0')
const elsewhere: Holder = { ...own, run: 'another', process: { ...own.process, boot: 'another machine' } }

function lease(holder: Holder, renewTime: string): Lease {
  return {
    metadata: { annotations: { [HOLDER_ANNOTATION]: JSON.stringify(holder) } },
    spec: { holderIdentity: `${holder.run}/${holder.worker}`, leaseDurationSeconds: 15, renewTime },
  }
}

describe('a lease that another holds', () => {
  it('is free once it has not moved for its duration, by the clock of whom waits', () => {
    const observation = new LeaseObservation(own)
    // Its own times are of no account: they are of a clock that nobody here knows.
    observation.see(lease(elsewhere, '1970-01-01T00:00:00Z'), 1_000)
    expect(observation.isFree(15_999)).to.equal(false)
    expect(observation.isFree(16_000)).to.equal(true)
  })

  it('is not free while it moves', () => {
    const observation = new LeaseObservation(own)
    for (let second = 0; second < 60; second += 10) {
      expect(observation.isFree(second * 1_000), `after ${second} s`).to.equal(false)
      observation.see(lease(elsewhere, `the ${second}th`), second * 1_000)
    }
  })

  it('seen again, after a connection broke, has not moved', () => {
    const observation = new LeaseObservation(own)
    observation.see(lease(elsewhere, 'once'), 0)
    observation.see(lease(elsewhere, 'once'), 14_000)
    expect(observation.isFree(15_000)).to.equal(true)
  })

  it('is named once', () => {
    const observation = new LeaseObservation(own)
    expect(observation.see(lease(elsewhere, 'once'), 0)).to.match(/^run another\/0 on .+ \(process \d+\)$/)
    expect(observation.see(lease(elsewhere, 'twice'), 0)).to.equal(undefined)
  })

  it('is free where it is our own', () => {
    const observation = new LeaseObservation(own)
    observation.see(lease(own, 'now'), 0)
    expect(observation.isFree(0)).to.equal(true)
  })
})
