import { describe, it } from 'node:test'
import type { IWorldOptions } from '@cucumber/cucumber'
import { expect } from 'chai'
import type { ErrorCode } from '../src/contract/error-codes.ts'
import type { Operation } from './outcomes.ts'
import { PoolwrightWorld } from './world.ts'

describe('an error that no step asserted', () => {
  it('fails its scenario with operation, code and message in the first line', () => {
    const world = worldWith(['allocate', 'NoneAvailable', 'all 3 nodes are in use\nby login'])
    expect(firstLine(world)).to.equal(
      'Error: allocate failed, and no step asserted it: NoneAvailable: all 3 nodes are in use',
    )
  })

  it('does not hide those after it', () => {
    const world = worldWith(['allocate', 'NoneAvailable', 'none'], ['release', 'NotHolder', 'held by login'])
    expect(() => world.assertNothingUnnoticed()).to.throw(
      'allocate failed, and no step asserted it: NoneAvailable: none\n' +
        'release failed, and no step asserted it: NotHolder: held by login',
    )
  })

  it('comes after a failure of the interference, which the first line names as well', () => {
    const world = worldWith(['allocate', 'NoneAvailable', 'none'])
    Object.defineProperty(world, 'proxy', { value: { failures: [new Error('no such request')] } })
    expect(firstLine(world)).to.equal('Error: the interference itself failed: no such request')
  })
})

function worldWith(...errors: [operation: Operation, code: string, message: string][]): PoolwrightWorld {
  const world = new PoolwrightWorld({
    attach: () => undefined,
    log: () => undefined,
  } as unknown as IWorldOptions)
  // Opening a real one takes a cluster.
  Object.defineProperty(world, 'proxy', { value: { failures: [] }, configurable: true })
  for (const [operation, code, message] of errors) {
    const error = { code: code as ErrorCode, fallbackAllowed: true, message, remedy: 'wait' }
    const outcome = { attempts: 1, delays: [], log: [], error }
    const request = { testId: 'login' }
    const times = { startedAt: 0, tookMs: 1, journalMark: 0 }
    world.outcomes.record({ operation, request, outcome, client: 'implementation', ...times })
  }
  return world
}

function firstLine(world: PoolwrightWorld): string | undefined {
  try {
    world.assertNothingUnnoticed()
  } catch (error) {
    return String(error).split('\n', 1)[0]
  }
  return undefined
}
