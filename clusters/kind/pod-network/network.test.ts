import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClusterNode, conflist, podNetworkOf } from './network.ts'

const node = (name: string, podCIDR?: string, address?: string): ClusterNode => ({
  metadata: { name },
  spec: { ...(podCIDR && { podCIDR }) },
  status: {
    addresses: address
      ? [
          { type: 'Hostname', address: name },
          { type: 'InternalIP', address },
        ]
      : [],
  },
})

test('a node reaches the pods of every other node by way of that node', () => {
  const nodes = [
    node('a', '10.244.0.0/24', '172.18.0.2'),
    node('b', '10.244.1.0/24', '172.18.0.3'),
    node('c', '10.244.2.0/24', '172.18.0.4'),
  ]
  assert.deepEqual(podNetworkOf('b', nodes), {
    own: '10.244.1.0/24',
    routes: new Map([
      ['10.244.0.0/24', '172.18.0.2'],
      ['10.244.2.0/24', '172.18.0.4'],
    ]),
  })
})

test('a node without a subnet or an address of its own is left for later', () => {
  const nodes = [
    node('a', '10.244.0.0/24', '172.18.0.2'),
    node('b', '10.244.1.0/24'),
    node('c', undefined, '172.18.0.4'),
  ]
  assert.deepEqual(podNetworkOf('a', nodes)?.routes, new Map())
  assert.equal(podNetworkOf('c', nodes), undefined)
  assert.equal(podNetworkOf('gone', nodes), undefined)
})

test('what is no IPv4 address or subnet never reaches a command line', () => {
  const nodes = [
    node('a', '10.244.0.0/24', '172.18.0.2'),
    node('b', '10.244.1.0/24', '; reboot'),
    node('c', '--help', '172.18.0.4'),
    node('d', 'fd00:10:244::/64', '172.18.0.5'),
  ]
  assert.deepEqual(podNetworkOf('a', nodes)?.routes, new Map())
})

test('pods get their addresses from the node’s own subnet', () => {
  const { plugins } = JSON.parse(conflist('10.244.1.0/24'))
  assert.equal(plugins[0].ipam.ranges[0][0].subnet, '10.244.1.0/24')
})
