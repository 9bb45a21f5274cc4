import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubernetesObject } from '../../../src/contract/kubernetes.ts'
import { placed } from './placement.ts'

const workload = (kind: string): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'part' },
  spec: { template: { spec: { serviceAccountName: 'part', nodeSelector: { disk: 'fast' } } } },
})

interface Template {
  readonly template: { readonly spec: Record<string, unknown> }
}

function podSpec(kind: string): Record<string, unknown> {
  const [{ spec }] = placed([workload(kind)]) as [{ spec: Template }]
  return spec.template.spec
}

test('a Deployment runs on the control plane, in spite of its taint', () => {
  const { nodeSelector, tolerations, serviceAccountName } = podSpec('Deployment')
  assert.deepEqual(nodeSelector, { 'node-role.kubernetes.io/control-plane': '' })
  assert.deepEqual(tolerations, [
    { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' },
  ])
  assert.equal(serviceAccountName, 'part')
})

test('a DaemonSet runs on every Linux node whatever its taints, and on no Windows one', () => {
  const { nodeSelector, tolerations } = podSpec('DaemonSet')
  assert.deepEqual(nodeSelector, { 'kubernetes.io/os': 'linux' })
  assert.deepEqual(tolerations, [{ operator: 'Exists' }])
})

test('what has no pods is left as it is, and nothing given is changed', () => {
  const given = [workload('Deployment'), { apiVersion: 'v1', kind: 'Service', metadata: { name: 'part' } }]
  const before = structuredClone(given)
  assert.deepEqual(placed(given)[1], before[1])
  assert.deepEqual(given, before)
})
