import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasFixedAddresses, makeFixedNetwork } from './fixed-network.ts'
import { ToolError } from './run-tool.ts'
import type { Tool } from './tools.ts'

interface Network {
  readonly Id: string
  readonly IPAM: { readonly Config: readonly { readonly Subnet: string }[] }
  readonly Labels: Record<string, string>
  readonly Containers: Record<string, object>
}

const signal = new AbortController().signal

/** An engine with networks and nothing else; it picks a subnet where none is given. */
class EngineOfNetworks {
  readonly networks = new Map<string, Network>()
  /** Made by somebody else at the moment when this name is to be created. */
  overtakenAt = ''

  readonly docker: Tool = async ([, verb = '', ...words]) => {
    const name = words.at(-1) ?? ''
    if (verb === 'ls') return this.networks.has(name.replace(/^name=\^(.*)\$$/, '$1')) ? 'id' : ''
    if (verb === 'inspect') return JSON.stringify([this.networks.get(name)])
    if (verb === 'rm') this.networks.delete(name)
    if (verb === 'create') this.#create(name, words)
    return ''
  }

  #create(name: string, words: readonly string[]): void {
    const given = words.includes('--subnet') ? words[words.indexOf('--subnet') + 1] : undefined
    const label = words.includes('--label') ? (words[words.indexOf('--label') + 1] ?? '') : ''
    if (name === this.overtakenAt) this.put(name, '172.30.0.0/16')
    if (this.networks.has(name)) throw new ToolError('creating', 'ended with code 1', 'already exists')
    this.put(name, given ?? '172.21.0.0/16', label === '' ? {} : { [label.split('=')[0] ?? '']: '' })
  }

  put(name: string, Subnet: string, Labels: Record<string, string> = {}, Containers = {}): void {
    this.networks.set(name, { Id: 'ab'.repeat(32), IPAM: { Config: [{ Subnet }] }, Labels, Containers })
  }

  fixed(): Promise<boolean> {
    return hasFixedAddresses('kind', this, signal)
  }
}

test('the network is made with the subnet that the engine would have picked, and nothing else is left', async () => {
  const engine = new EngineOfNetworks()
  assert.equal(await engine.fixed(), false)
  await makeFixedNetwork('kind', engine, { mayReplace: false, signal })
  assert.deepEqual([...engine.networks.keys()], ['kind'])
  assert.equal(engine.networks.get('kind')?.IPAM.Config[0]?.Subnet, '172.21.0.0/16')
  assert.equal(await engine.fixed(), true)
})

test('an empty network of kind’s own making is replaced where that is allowed, and nowhere else', async () => {
  for (const [mayReplace, containers, replaced] of [
    [true, {}, true],
    [false, {}, false],
    [true, { node: {} }, false],
  ] as const) {
    const engine = new EngineOfNetworks()
    engine.put('kind', '172.18.0.0/16', {}, containers)
    await makeFixedNetwork('kind', engine, { mayReplace, signal })
    assert.equal(await engine.fixed(), replaced)
  }
})

test('one that was made like this is left alone', async () => {
  const engine = new EngineOfNetworks()
  await makeFixedNetwork('kind', engine, { mayReplace: true, signal })
  const made = engine.networks.get('kind')
  await makeFixedNetwork('kind', engine, { mayReplace: true, signal })
  assert.equal(engine.networks.get('kind'), made)
})

test('one that another process makes in the same moment is taken', async () => {
  const engine = new EngineOfNetworks()
  engine.overtakenAt = 'kind'
  await makeFixedNetwork('kind', engine, { mayReplace: true, signal })
  assert.equal(engine.networks.get('kind')?.IPAM.Config[0]?.Subnet, '172.30.0.0/16')
})
