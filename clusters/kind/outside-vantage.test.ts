import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasVantage, startVantage } from './outside-vantage.ts'
import type { Tool } from './tools.ts'

const { signal } = new AbortController()
const HEAD = 'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT'
const SUBNET = 'eth0\t000012AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0'
const DEFAULT = 'eth0\t00000000\t010012AC\t0003\t0\t0\t0\t00000000\t0\t0\t0'
const ZERO = '0'.repeat(32)
const REJECT6 = `${ZERO} 00 ${ZERO} 00 ${ZERO} ffffffff 00000001 00000000 00200200       lo`
const DEFAULT6 = `${ZERO} 00 ${ZERO} 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth0`

/** An engine in which a container of this name runs, with these routes. */
class EngineOfOneContainer {
  routes: string[]
  running = true
  canCutOff = true
  readonly said: string[] = []

  constructor(routes: string[]) {
    this.routes = routes
  }

  readonly docker: Tool = async (words) => {
    if (words[0] === 'ps') return this.running ? 'id' : ''
    if (words[0] === 'exec') return this.routes.join('\n')
    this.said.push(words.join(' '))
    if (words.includes('NET_ADMIN') && this.canCutOff) this.routes = [HEAD, SUBNET, REJECT6]
    return ''
  }
}

const has = (...routes: string[]) => hasVantage('pool', new EngineOfOneContainer(routes), signal)

test('a container that still has a way out is no vantage, as when its start was cut short', async () => {
  assert.equal(await has(HEAD, SUBNET, REJECT6), true)
  assert.equal(await has(HEAD, DEFAULT, SUBNET), false)
  assert.equal(await has(HEAD, SUBNET, REJECT6, DEFAULT6), false)
})

const REQUEST = { cluster: 'pool', network: 'pool', workload: 'theirs/workload', nodeImage: 'node' }

test('it is cut off by the node image, may not change that itself, and takes nothing but Node of its own image', async () => {
  const engine = new EngineOfOneContainer([HEAD, DEFAULT, SUBNET])
  await startVantage(REQUEST, engine, signal)
  const [, started = '', helper = ''] = engine.said
  assert.match(started, /--memory \S+ --pids-limit \d+ --entrypoint node theirs\/workload -e /)
  assert.doesNotMatch(started, /NET_ADMIN/)
  assert.match(helper, /--network container:pool-outside --cap-add NET_ADMIN --entrypoint sh node -c /)
})

test('one that keeps its way out is an error, not a vantage', async () => {
  const engine = new EngineOfOneContainer([HEAD, DEFAULT, SUBNET])
  engine.canCutOff = false
  await assert.rejects(startVantage(REQUEST, engine, signal), /starting the outside vantage .* route out/)
})
