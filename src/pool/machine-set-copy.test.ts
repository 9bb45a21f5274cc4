import { describe, it } from 'node:test'
import { expect } from 'chai'
import { copyForTest, machineSetName } from './machine-set-copy.ts'

const TEMPLATE = {
  metadata: {
    name: 'workers',
    uid: 'u',
    resourceVersion: '7',
    labels: { 'machine.openshift.io/cluster-api-cluster': 'c' },
    annotations: { 'machine.openshift.io/cluster-api-autoscaler-node-group-min-size': '3' },
  },
  spec: {
    replicas: 5,
    selector: { matchLabels: { role: 'worker', 'machine.openshift.io/cluster-api-machineset': 'workers' } },
    template: {
      metadata: {
        labels: {
          role: 'worker',
          'machine.openshift.io/os-id': 'Windows',
          'machine.openshift.io/cluster-api-machineset': 'workers',
        },
      },
      spec: { providerSpec: { value: { image: 'windows' } }, taints: [{ key: 'os' }] },
    },
  },
}

describe('a MachineSet for one test', () => {
  it('is named so that its Machine fits a Windows computer name, whatever the test id', () => {
    for (const testId of ['login', 'Ü/../x', 'a'.repeat(1_000)])
      expect(machineSetName(testId)).to.match(/^w[0-9a-f]{8}$/)
    expect(machineSetName('a')).to.not.equal(machineSetName('b'))
  })

  it('keeps what makes a Machine, and selects its own Machines alone', () => {
    const { spec } = copyForTest(TEMPLATE, 'login')
    const own = { 'machine.openshift.io/cluster-api-machineset': machineSetName('login') }
    expect(spec).to.include({ replicas: 1 })
    expect(spec?.template?.spec).to.deep.equal(TEMPLATE.spec.template.spec)
    expect(spec?.selector?.matchLabels).to.deep.equal({ role: 'worker', ...own })
    expect(spec?.template?.metadata?.labels).to.deep.equal({
      role: 'worker',
      'machine.openshift.io/os-id': 'Windows',
      ...own,
    })
  })

  it('says whose it is, on the Machine too, and takes over nothing that identifies or scales the template', () => {
    const copy = copyForTest(TEMPLATE, 'login')
    const whose = { 'poolwright.dev/test-id': 'login' }
    expect(copy.metadata?.annotations).to.deep.equal(whose)
    expect(copy.spec?.template?.metadata?.annotations).to.deep.equal(whose)
    expect(copy.metadata).to.not.have.any.keys('uid', 'resourceVersion')
  })
})
