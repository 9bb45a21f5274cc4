import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { Machine } from './machine.ts'
import { machineStatus, takenAddresses } from './machine-provisioning.ts'

const machine = (name: string, status?: Machine['status']): Machine => ({
  metadata: { name, namespace: 'openshift-machine-api' },
  spec: {},
  ...(status && { status }),
})
const node = {
  metadata: {
    name: 'n',
    uid: 'u',
    annotations: { 'machine.openshift.io/machine': 'openshift-machine-api/a' },
  },
}

describe('machineStatus', () => {
  it('gives each Machine an address of its own, also within one pass', () => {
    const other = machine('z', { addresses: [{ type: 'InternalIP', address: '203.0.113.129' }] })
    const taken = takenAddresses([other])
    const first = machineStatus(machine('a'), taken, [], false)
    const second = machineStatus(machine('b'), taken, [], false)
    expect([first.addresses?.[0]?.address, second.addresses?.[0]?.address]).to.deep.equal([
      '203.0.113.130',
      '203.0.113.131',
    ])
  })

  it('links a Machine to the Node on it', () => {
    expect(machineStatus(machine('a'), new Set(), [node], false)).to.deep.include({
      phase: 'Running',
      nodeRef: { kind: 'Node', name: 'n', uid: 'u' },
    })
    expect(machineStatus(machine('b'), new Set(), [node], false)).to.include({ phase: 'Provisioned' })
  })

  it('fails for good when the cloud refuses, and when no address is left', () => {
    const failed = machineStatus(machine('a'), new Set(), [], true)
    expect(failed).to.include({ phase: 'Failed', errorReason: 'CreateError' })
    expect(machineStatus(machine('a', failed), new Set(), [node], false)).to.equal(failed)
    const all = new Set(Array.from({ length: 254 }, (_, host) => `203.0.113.${host + 1}`))
    expect(machineStatus(machine('a'), all, [], false).phase).to.equal('Failed')
  })
})
