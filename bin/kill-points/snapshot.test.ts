import { test } from 'node:test'
import { expect } from 'chai'
import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { compareSnapshots, lastingFieldsOf } from './snapshot.ts'

const snapshot = (...objects: KubernetesObject[]) =>
  new Map(objects.map((object) => [`${object.kind} ${object.metadata?.name}`, lastingFieldsOf(object)]))

const taint = (key: string, value: string) => ({ key, value, effect: 'NoSchedule' })

const node = (more: { metadata?: object; spec?: object; status?: object }): KubernetesObject => ({
  kind: 'Node',
  ...more,
  metadata: { name: 'worker', uid: 'u1', labels: { rack: '7' }, ...more.metadata },
})

test('what controllers write and what the API counts is no difference, nor is the order of taints', () => {
  const before = node({
    metadata: { resourceVersion: '1', generation: 1, managedFields: [] },
    spec: { taints: [taint('a', '1'), taint('b', '2')] },
    status: { conditions: [] },
  })
  const now = node({
    metadata: { resourceVersion: '9', generation: 3 },
    spec: { taints: [taint('b', '2'), taint('a', '1')] },
  })
  expect(compareSnapshots(snapshot(before), snapshot(now))).to.deep.equal([])
})

test('a taint, a label, an annotation, a cordon and another object of the same name are differences', () => {
  const now = node({
    metadata: { uid: 'u2', labels: {}, annotations: { 'a/b': 'c' } },
    spec: { unschedulable: true, taints: [taint('a', '2')] },
  })
  const before = node({ spec: { taints: [taint('a', '1')] } })
  expect(compareSnapshots(snapshot(before), snapshot(now))).to.have.members([
    'Node worker /metadata/uid: "u1" before, "u2" now',
    'Node worker /metadata/labels/rack: "7" before, absent now',
    'Node worker /metadata/annotations: absent before, {"a/b":"c"} now',
    'Node worker /spec/unschedulable: absent before, true now',
    'Node worker /spec/taints/a:NoSchedule/value: "1" before, "2" now',
  ])
})

test('an object that came and one that went are differences, and so is one on its way out', () => {
  const [one, other] = [
    { kind: 'Namespace', metadata: { name: 'one' } },
    { kind: 'ClusterRole', metadata: { name: 'other' } },
  ]
  const leaving = node({ metadata: { deletionTimestamp: 'now' } })
  expect(compareSnapshots(snapshot(one, node({})), snapshot(other, leaving))).to.deep.equal([
    'ClusterRole other: absent before, there now',
    'Namespace one: there before, absent now',
    'Node worker /metadata/deletionTimestamp: absent before, "now" now',
  ])
})
