import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { Pod } from './pod.ts'
import { podTable, podTimeline } from './pod-evidence.ts'

const web = (state: object, phase = 'Running'): Pod => ({
  metadata: { name: 'web', uid: '1', creationTimestamp: '2026-03-31T12:00:00Z' },
  spec: { nodeName: 'worker' },
  status: {
    phase,
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-03-31T12:00:02Z' }],
    containerStatuses: [{ name: 'main', restartCount: 1, state }],
  },
})
const at = Date.parse('2026-03-31T12:00:03Z')
const running = web({ running: { startedAt: '2026-03-31T12:00:01Z' } })
const killed = web({ terminated: { exitCode: 137, reason: 'OOMKilled', finishedAt: '2026-03-31T12:00:04Z' } })
const moment = (pod: Pod, seconds: number, gone = false) => ({ at: at + seconds * 1_000, pod, gone })
const waiting: Pod = {
  metadata: { name: 'late', uid: '2', creationTimestamp: '2026-03-31T12:00:03Z' },
  status: {
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' }],
  },
}

describe('what became of pods', () => {
  const pods = [
    [moment(running, 0), moment(running, 1), moment(killed, 2), moment(killed, 4, true)],
    [moment(waiting, 3)],
  ]

  it('is told by container, of pods that are gone too', () => {
    expect(podTable({ pods }).split('\n')).to.deep.equal([
      'pod   node    phase    container  state                             restarts  created               ready                 ended                 gone',
      'web   worker  Running  main       terminated (OOMKilled, code 137)  1         2026-03-31T12:00:00Z  2026-03-31T12:00:02Z  2026-03-31T12:00:04Z  2026-03-31T12:00:07.000Z',
      'late                                                                0         2026-03-31T12:00:03Z',
    ])
  })

  it('is told in the order in which it happened, each change once', () => {
    expect(podTimeline({ pods }).split('\n')).to.deep.equal([
      '2026-03-31T12:00:03.000Z  web Running on worker: main running, 1 restarts',
      '2026-03-31T12:00:05.000Z  web Running on worker: main terminated (OOMKilled, code 137), 1 restarts',
      '2026-03-31T12:00:06.000Z  late without a phase on no node, Unschedulable: no room',
      '2026-03-31T12:00:07.000Z  web is gone',
    ])
  })
})
