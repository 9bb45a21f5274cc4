import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { expect } from 'chai'
import { StepClock } from './step-clock.ts'

describe('step clock', () => {
  const expired: string[] = []
  const clock = () => new StepClock((reason) => expired.push(reason))

  beforeEach(() => {
    expired.length = 0
    mock.timers.enable({ apis: ['setTimeout'] })
  })
  afterEach(() => mock.timers.reset())

  it('expires once the step has had its time, and says how much that was', () => {
    clock().start(100)
    mock.timers.tick(99)
    expect(expired).to.deep.equal([])
    mock.timers.tick(1)
    expect(expired).to.deep.equal(['the step took longer than 100 ms'])
  })

  it('says nothing of a step that ended in time', () => {
    const subject = clock()
    subject.start(100)
    subject.stop()
    mock.timers.tick(1_000)
    expect(expired).to.deep.equal([])
  })

  it('allows more to the step under way and to those after it', () => {
    const subject = clock()
    subject.start(100)
    subject.allowMore(50)
    mock.timers.tick(149)
    expect(expired).to.deep.equal([])
    subject.start(100)
    mock.timers.tick(149)
    expect(expired).to.deep.equal([])
    mock.timers.tick(1)
    expect(expired).to.deep.equal(['the step took longer than 150 ms'])
  })
})
