import { describe, it } from 'node:test'
import { expect } from 'chai'
import { livesOf, pausesOf } from './lives.ts'
import type { ContainerStatus } from './pod.ts'

const time = (second: number): string => `2026-03-31T12:00:${String(second).padStart(2, '0')}Z`
const end = (containerID: string, from: number, to: number) => ({
  terminated: { containerID, exitCode: 1, startedAt: time(from), finishedAt: time(to) },
})
const moment = (status: Omit<ContainerStatus, 'name'>) => ({
  at: 0,
  gone: false,
  pod: { status: { containerStatuses: [{ name: 'main', ...status }] } },
})

describe('lives of a container', () => {
  it('are told apart where they began in the same second, and where only their end was told', () => {
    const lives = livesOf([
      moment({ containerID: 'a', state: { running: { startedAt: time(1) } } }),
      moment({ containerID: 'b', state: end('b', 1, 2), lastState: end('a', 1, 1) }),
      moment({
        containerID: 'b',
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: end('b', 1, 2),
      }),
      moment({ containerID: 'c', state: { running: { startedAt: time(12) } }, lastState: end('b', 1, 2) }),
    ])
    expect(lives.length).to.equal(3)
    expect(pausesOf(lives)).to.deep.equal([0, 10_000])
  })

  it('are none before the first start', () => {
    expect(pausesOf(livesOf([moment({ state: { waiting: {} } })]))).to.deep.equal([])
  })
})
