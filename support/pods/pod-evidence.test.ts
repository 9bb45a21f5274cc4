import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { KubeClient } from '../../src/kube/client.ts'
import type { Pod } from './pod.ts'
import { podEvidence, podTable, podTimeline } from './pod-evidence.ts'
import { PodRecord } from './pod-record.ts'
import type { Pods } from './pods.ts'

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

describe('what pods said', () => {
  it('is told when the scenario failed, and holds nothing else up where a node is off', async () => {
    const api = createServer(({ url }, response) => {
      if (url?.includes('/web/')) response.end('2026-03-31T12:00:01Z begins\n')
    }).listen(0, '127.0.0.1')
    await once(api, 'listening')
    const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    const kube = new KubeClient({ server, insecure: true, namespace: 'default' })
    const record = new PodRecord(kube, '/pods', AbortSignal.abort())
    const off = { ...running, metadata: { name: 'off', uid: '3' } }
    record.take({ type: 'LISTED', objects: [{ ...running }, off], resourceVersion: '1' })
    const log = (name: string, signal: AbortSignal) => ({ kube, path: `/${name}/log`, signal })
    const pods = { record, log, knownHeard: () => undefined } as unknown as Pods
    const signal = AbortSignal.timeout(15_000)
    try {
      const told = await podEvidence(pods, true, signal)
      expect(signal.aborted, 'all the time is spent').to.equal(false)
      expect(told.map(({ fileName }) => fileName)).to.deep.equal([
        'pods.txt',
        'pods over time.txt',
        'log of pod web.txt',
        'log of pod off.txt',
      ])
      // Before its restart, and since.
      expect(told[2]?.text.split('\n')).to.deep.equal(Array(2).fill('2026-03-31T12:00:01.000Z  main begins'))
      expect(told[3]?.text).to.equal('not a word')
      expect((await podEvidence(pods, false, signal)).length).to.equal(2)
    } finally {
      kube.close()
      api.closeAllConnections()
      api.close()
    }
  })
})
