import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
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
  const host = hostOf('192.0.2.17')
  const since = '2026-01-01T00:00:00Z'
  const ready = { type: 'Ready', status: 'True' as const, reason: '', message: '', lastTransitionTime: since }

  it('keeps the time since which a host is Ready, and sets a new one when that changes', () => {
    const conditionsWhen = (nowReady: boolean) =>
      nodeStatus(host, nowReady, { status: { conditions: [ready] } }, 'v1.36.0')
        .conditions as (typeof ready)[]
    expect(conditionsWhen(true).at(-1)).to.include({ status: 'True', lastTransitionTime: since })
    expect(conditionsWhen(false).at(-1)?.lastTransitionTime).to.not.equal(since)
  })
})

describe('the first heartbeat of a Node', () => {
  const heartbeatOf = (node: KubernetesObject | undefined): number => {
    const { conditions } = nodeStatus(hostOf('192.0.2.17'), true, node, 'v1.36.0') as {
      conditions: readonly { lastHeartbeatTime: string }[]
    }
    return Date.parse(conditions.at(-1)?.lastHeartbeatTime ?? '')
  }

  it('is never of the second in which it was made, which the cluster would take for none', () => {
    const second = Math.floor(Date.now() / 1_000) * 1_000
    const creationTimestamp = new Date(second).toISOString()
    expect(heartbeatOf({ metadata: { creationTimestamp } })).to.be.at.least(second + 1_000)
    expect(heartbeatOf(undefined)).to.be.at.least(second + 1_000)
  })

  it('is of now, for one that was made before', () => {
    const creationTimestamp = '2026-01-01T00:00:00Z'
    expect(heartbeatOf({ metadata: { creationTimestamp } })).to.be.at.most(Date.now())
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
