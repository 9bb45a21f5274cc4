import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeNetwork, removeNetwork } from './cluster-network.ts'
import { ToolError } from './run-tool.ts'
import type { Tool } from './tools.ts'

const { signal } = new AbortController()
const NAME = 'poolwright-default-0a1b2c'

/** An engine with networks and nothing else; it picks the next subnet where none is given. */
class EngineOfNetworks {
  /** Name → subnet. */
  readonly networks = new Map<string, string>()
  readonly given = new Set<string>()
  readonly options: string[] = []
  /** Subnets that another cluster takes as soon as they were given up. */
  overtaken = 0
  used = false
  #next = 18

  readonly docker: Tool = async ([, verb = '', ...words]) => {
    const name = words.at(-1) ?? ''
    if (verb === 'ls') return this.networks.has(name.replace(/^name=\^(.*)\$$/, '$1')) ? 'id' : ''
    if (verb === 'inspect' && name === 'bridge') return '1450'
    if (verb === 'inspect')
      return JSON.stringify([{ IPAM: { Config: [{ Subnet: this.networks.get(name) }] } }])
    if (verb === 'rm') {
      if (this.used) throw new ToolError('removing', 'ended with code 1', 'has active endpoints')
      this.networks.delete(name)
    }
    if (verb === 'create') this.#create(name, words)
    return ''
  }

  #create(name: string, words: readonly string[]): void {
    const subnet = words.includes('--subnet') ? words[words.indexOf('--subnet') + 1] : undefined
    if (subnet !== undefined && this.overtaken-- > 0)
      throw new ToolError('creating', 'ended with code 1', 'Pool overlaps with other one')
    if (this.networks.has(name)) throw new ToolError('creating', 'ended with code 1', 'already exists')
    if (subnet !== undefined) this.given.add(name)
    if (words.includes('--opt')) this.options.push(words[words.indexOf('--opt') + 1] ?? '')
    this.networks.set(name, subnet ?? `172.${this.#next++}.0.0/16`)
  }
}

test('a cluster gets a network of its own, with the subnet that the engine would have picked and its packet size', async () => {
  const engine = new EngineOfNetworks()
  await makeNetwork(NAME, engine, signal)
  assert.deepEqual([...engine.networks], [[NAME, '172.18.0.0/16']])
  assert.ok(engine.given.has(NAME))
  assert.deepEqual(new Set(engine.options), new Set(['com.docker.network.driver.mtu=1450']))
})

test('what an interrupted start left of it is made anew, and the networks of others stay', async () => {
  const engine = new EngineOfNetworks()
  engine.networks.set(NAME, '172.30.0.0/16').set('kind', '172.31.0.0/16')
  await makeNetwork(NAME, engine, signal)
  assert.deepEqual(Object.fromEntries(engine.networks), { kind: '172.31.0.0/16', [NAME]: '172.18.0.0/16' })
})

test('a subnet that another cluster takes in the same moment is left to it, within bounds', async () => {
  const engine = new EngineOfNetworks()
  engine.overtaken = 2
  await makeNetwork(NAME, engine, signal)
  assert.equal(engine.networks.get(NAME), '172.20.0.0/16')
  engine.overtaken = 100
  await assert.rejects(makeNetwork(NAME, engine, signal), /Pool overlaps/)
})

test('it goes once, and not while somebody is in it', async () => {
  const engine = new EngineOfNetworks()
  await makeNetwork(NAME, engine, signal)
  engine.used = true
  await assert.rejects(removeNetwork(NAME, engine, signal), /active endpoints/)
  engine.used = false
  await removeNetwork(NAME, engine, signal)
  await removeNetwork(NAME, engine, signal)
  assert.deepEqual([...engine.networks], [])
})
