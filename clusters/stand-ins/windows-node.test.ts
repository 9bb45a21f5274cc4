import { describe, it } from 'node:test'
import { expect } from 'chai'
import { hostOf, nodeStatus, windowsNode } from './windows-node.ts'

describe('hostOf', () => {
  it('keeps an address as the type it is', () => {
    expect(hostOf('192.0.2.17').addresses).to.deep.equal([{ type: 'InternalIP', address: '192.0.2.17' }])
    expect(hostOf('a.test').addresses).to.deep.equal([{ type: 'InternalDNS', address: 'a.test' }])
  })

  it('names the Node so that the name fits a label, and differs from every other', () => {
    const long = `${'a'.repeat(60)}.example.test`
    expect(hostOf(long).nodeName).to.match(/^[-a-z0-9]{63}$/)
    expect(hostOf(long).nodeName).to.not.equal(hostOf(`${long}s`).nodeName)
  })
})

describe('nodeStatus', () => {
  const since = '2026-01-01T00:00:00Z'
  const ready = { type: 'Ready', status: 'True' as const, reason: '', message: '', lastTransitionTime: since }

  it('keeps the time since which a host is Ready, and sets a new one when that changes', () => {
    const conditionsWhen = (nowReady: boolean) =>
      nodeStatus(hostOf('192.0.2.17'), nowReady, { conditions: [ready] }, 'v1.36.0')
        .conditions as (typeof ready)[]
    expect(conditionsWhen(true).at(-1)).to.include({ status: 'True', lastTransitionTime: since })
    expect(conditionsWhen(false).at(-1)?.lastTransitionTime).to.not.equal(since)
  })
})

describe('windowsNode', () => {
  it('marks a listed host as BYOH, and one on a Machine with that Machine', () => {
    const machine = { key: 'openshift-machine-api/m', providerId: 'stand-in:///m' }
    expect(windowsNode(hostOf('a.test')).metadata?.labels).to.include({
      'windowsmachineconfig.openshift.io/byoh': 'true',
    })
    const onMachine = windowsNode({ nodeName: 'm', addresses: [], machine })
    expect(onMachine.metadata?.labels).to.not.have.property('windowsmachineconfig.openshift.io/byoh')
    expect(onMachine.metadata?.annotations).to.deep.equal({ 'machine.openshift.io/machine': machine.key })
  })
})
