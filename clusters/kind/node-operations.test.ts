import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bringNodeBack, killNode } from './node-operations.ts'
import { ToolError } from './run-tool.ts'
import type { Tool } from './tools.ts'

const NODE = 'pool-worker'
const RUN = { for: 'killing the node', signal: new AbortController().signal }
const HOME = { network: 'pool', address: '172.18.0.3' }
const DISCONNECT = `network disconnect pool ${NODE}`
const CONNECT = `network connect --ip 172.18.0.3 pool ${NODE}`

/** One node's container at an engine that forgets the address of what is off, unless the container asks for it. */
class EngineOfOneNode {
  readonly said: string[] = []
  running = true
  frozen = false
  connected = true
  pinned: string | undefined
  /** Nothing more is done from this command on, as when its caller is killed. */
  dies = ''

  readonly docker: Tool = async (words) => {
    const command = words.join(' ')
    if (command === `container inspect ${NODE}`) return JSON.stringify([this.#inspected()])
    if (command === this.dies) throw new Error('killed')
    this.said.push(command)
    if (command === `kill ${NODE}`) {
      if (this.frozen) throw new ToolError('killing the node', 'ended with code 1', 'no exit event')
      this.running = false
    }
    if (command === `start ${NODE}`) this.running = true
    if (command === DISCONNECT) this.connected = false
    if (command === CONNECT) {
      this.connected = true
      this.pinned = '172.18.0.3'
    }
    return ''
  }

  kill(): Promise<void> {
    return killNode(this.docker, NODE, HOME, RUN)
  }

  bringBack(): Promise<void> {
    return bringNodeBack(this.docker, NODE, HOME, RUN)
  }

  #inspected(): object {
    const IPAMConfig = this.pinned === undefined ? null : { IPv4Address: this.pinned }
    const pool = { IPAddress: this.running ? '172.18.0.3' : '', IPAMConfig }
    return {
      Id: 'ab'.repeat(32),
      Name: `/${NODE}`,
      Image: 'sha256:1',
      State: { Running: this.running },
      NetworkSettings: { Networks: this.connected ? { pool } : {} },
    }
  }
}

test('a killed node asks for the address it had, and is told so once', async () => {
  const engine = new EngineOfOneNode()
  await engine.kill()
  assert.deepEqual(engine.said, [`kill ${NODE}`, DISCONNECT, CONNECT])

  engine.said.length = 0
  await engine.bringBack()
  await engine.kill()
  assert.deepEqual(engine.said, [`start ${NODE}`, `kill ${NODE}`])
})

for (const dies of [DISCONNECT, CONNECT]) {
  test(`a kill that ended before "${dies}" is finished by the next, or by the node’s return`, async () => {
    for (const again of ['kill', 'bringBack'] as const) {
      const engine = new EngineOfOneNode()
      engine.dies = dies
      await assert.rejects(engine.kill(), /killed/)
      engine.dies = ''
      await engine[again]()
      assert.equal(engine.pinned, '172.18.0.3')
      assert.equal(engine.connected, true)
      assert.equal(engine.running, again === 'bringBack')
    }
  })
}

test('killing and bringing back what is so already does nothing', async () => {
  const engine = new EngineOfOneNode()
  await engine.bringBack()
  assert.deepEqual(engine.said, [])
  await engine.kill()
  engine.said.length = 0
  await engine.kill()
  assert.deepEqual(engine.said, [])
})

test('a node that runs without a network gets it back', async () => {
  const engine = new EngineOfOneNode()
  engine.connected = false
  await engine.bringBack()
  assert.deepEqual(engine.said, [CONNECT])
})

test('a node with a frozen sandbox is thawed, and killed', async () => {
  const engine = new EngineOfOneNode()
  engine.frozen = true
  await killNode(engine.docker, NODE, HOME, RUN, (id) => {
    assert.equal(id, 'ab'.repeat(32))
    engine.frozen = false
    return Promise.resolve(1)
  })
  assert.equal(engine.running, false)
  assert.equal(engine.pinned, '172.18.0.3')
})

test('a node that does not end for another reason fails with it, and keeps its network', async () => {
  const engine = new EngineOfOneNode()
  engine.frozen = true
  await assert.rejects(
    killNode(engine.docker, NODE, HOME, RUN, () => Promise.resolve(0)),
    /no exit event/,
  )
  assert.deepEqual(engine.said, [`kill ${NODE}`])
})
