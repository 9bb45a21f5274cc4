import { describe, it } from 'node:test'
import { expect } from 'chai'
import { readSteering } from './steering.ts'

describe('readSteering', () => {
  it('lets everything go well without a ConfigMap', () => {
    const steering = readSteering(undefined)
    expect(steering).to.include({ operator: 'up', machines: 'provision' })
    expect([
      ...steering.unreachable,
      ...steering.notReady,
      ...steering.stuck,
      ...steering.problems,
    ]).to.deep.equal([])
  })

  it('reads each key', () => {
    const data = { operator: 'down\n', machines: 'fail', unreachable: 'a\nb', 'not-ready': ' c ', stuck: 'd' }
    const steering = readSteering({ data })
    expect(steering).to.include({ operator: 'down', machines: 'fail' })
    expect([...steering.unreachable]).to.deep.equal(['a', 'b'])
    expect([...steering.notReady]).to.deep.equal(['c'])
    expect([...steering.stuck]).to.deep.equal(['d'])
  })

  it('reports what it does not understand, and goes on as if it were not there', () => {
    const steering = readSteering({ data: { operator: 'sideways', weather: 'fair' } })
    expect(steering.operator).to.equal('up')
    expect(steering.problems).to.deep.equal(['unknown key weather', 'operator is none of up, down, absent'])
  })
})
