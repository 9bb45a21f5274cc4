import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carvePools } from './network.ts'

test('pools come from the top of the subnet, side by side, without its last address', () => {
  assert.deepEqual(carvePools('172.18.0.0/16'), {
    game: '172.18.255.239-172.18.255.254',
    management: '172.18.255.223-172.18.255.238',
    small: '172.18.255.221-172.18.255.222',
  })
})

test('a subnet that begins anywhere is cut at its own end', () => {
  assert.equal(carvePools('192.0.2.0/24').game, '192.0.2.239-192.0.2.254')
  assert.equal(carvePools('10.89.4.128/25').small, '10.89.4.221-10.89.4.222')
})

test('a subnet that would leave nothing for the nodes is refused', () => {
  assert.throws(() => carvePools('192.0.2.0/26'), /192.0.2.0\/26 has 64 addresses, too few to take 34/)
  assert.throws(() => carvePools('fc00:f853:ccd:e793::/64'), /is not an IPv4 subnet/)
})
