import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { DrainedPod } from './drained-pod.ts'
import { type DrainConsent, daemonSetOf, judge } from './verdict.ts'

const owner = (kind: string, apiVersion = 'apps/v1') => ({
  apiVersion,
  kind,
  name: 'owner',
  controller: true,
})

function pod(
  of: { owner?: object; phase?: string; local?: boolean; mirror?: boolean; leaving?: boolean } = {},
): DrainedPod {
  return {
    metadata: {
      name: 'pod',
      namespace: 'ns',
      uid: '1',
      ...(of.owner && { ownerReferences: [of.owner] }),
      ...(of.mirror && { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
      ...(of.leaving && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: { volumes: of.local ? [{ emptyDir: {} }] : [] },
    status: { phase: of.phase ?? 'Running' },
  }
}

const ALL: DrainConsent = { force: true, deleteLocalData: true }
const THERE = new Set(['ns/owner'])

describe('what becomes of a pod of a drained node', () => {
  for (const [what, judged, without, withAll] of [
    ['a Deployment’s pod', pod({ owner: owner('ReplicaSet') }), 'evict', 'evict'],
    ['a pod that nobody replaces', pod(), 'refuse', 'evict'],
    [
      'a pod whose owner is no controller',
      pod({ owner: { ...owner('X'), controller: false } }),
      'refuse',
      'evict',
    ],
    [
      'a Deployment’s pod with local data',
      pod({ owner: owner('ReplicaSet'), local: true }),
      'refuse',
      'evict',
    ],
    ['a DaemonSet’s pod', pod({ owner: owner('DaemonSet') }), 'leave', 'leave'],
    ['a DaemonSet’s pod with local data', pod({ owner: owner('DaemonSet'), local: true }), 'leave', 'leave'],
    [
      'a DaemonSet’s pod that has ended',
      pod({ owner: owner('DaemonSet'), phase: 'Failed' }),
      'evict',
      'evict',
    ],
    ['a pod of another group’s DaemonSet', pod({ owner: owner('DaemonSet', 'x.io/v1') }), 'evict', 'evict'],
    ['a mirror pod', pod({ mirror: true, owner: owner('Node', 'v1') }), 'leave', 'leave'],
    ['a mirror pod with local data', pod({ mirror: true, local: true }), 'leave', 'leave'],
    ['a bare pod that succeeded', pod({ phase: 'Succeeded' }), 'evict', 'evict'],
    ['a bare pod with local data that failed', pod({ phase: 'Failed', local: true }), 'evict', 'evict'],
    ['a bare pod that is pending', pod({ phase: 'Pending' }), 'refuse', 'evict'],
    ['a bare pod on its way out', pod({ leaving: true }), 'refuse', 'evict'],
  ] as const)
    it(`${what}: ${without}, and ${withAll} where all is agreed to`, () => {
      expect([judge(judged, {}, THERE).action, judge(judged, ALL, THERE).action]).to.deep.equal([
        without,
        withAll,
      ])
    })

  it('a pod whose DaemonSet is not there is refused, and goes by force', () => {
    const orphan = pod({ owner: owner('DaemonSet') })
    expect(daemonSetOf(orphan)).to.equal('ns/owner')
    expect(judge(orphan, {}, new Set())).to.deep.equal({
      action: 'refuse',
      why: 'its DaemonSet ns/owner is not there',
    })
    expect(judge(orphan, { force: true }, new Set()).action).to.equal('evict')
  })

  it('one consent doesn’t stand for the other', () => {
    const both = pod({ local: true })
    expect(judge(both, { force: true }, THERE)).to.deep.equal({
      action: 'refuse',
      why: 'its local data would be lost',
    })
    expect(judge(both, { deleteLocalData: true }, THERE)).to.deep.equal({
      action: 'refuse',
      why: 'nobody would replace it',
    })
  })
})
