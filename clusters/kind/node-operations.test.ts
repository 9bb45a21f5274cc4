import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killNode } from './node-operations.ts'
import { ToolError } from './run-tool.ts'
import type { Tool } from './tools.ts'

const NODE = 'pool-worker'
const RUN = { for: 'killing the node', signal: new AbortController().signal }
const CONNECT = `network connect --ip 172.18.0.3 kind ${NODE}`

/** One node's container at an engine that forgets the address of what is off, unless the container asks for it. */
class EngineOfOneNode {
  readonly said: string[] = []
  running = true
  frozen = false
  fixed = true
  pinned: string | undefined

  readonly docker: Tool = async (words) => {
    const command = words.join(' ')
    if (command === `container inspect ${NODE}`) return JSON.stringify([this.#inspected()])
    if (command.startsWith('network ls')) return 'id'
    if (command === 'network inspect kind')
      return JSON.stringify([{ Labels: this.fixed ? { 'poolwright.dev/fixed-addresses': '' } : null }])
    this.said.push(command)
    if (command === `kill ${NODE}`) {
      if (this.frozen) throw new ToolError('killing the node', 'ended with code 1', 'no exit event')
      this.running = false
    }
    if (command === CONNECT) this.pinned = '172.18.0.3'
    return ''
  }

  #inspected(): object {
    const IPAMConfig = this.pinned === undefined ? null : { IPv4Address: this.pinned }
    const kind = { IPAddress: this.running ? '172.18.0.3' : '', IPAMConfig }
    return { Id: 'ab'.repeat(32), State: { Running: this.running }, NetworkSettings: { Networks: { kind } } }
  }
}

test('a killed node asks for the address it had, and is told so once', async () => {
  const engine = new EngineOfOneNode()
  await killNode(engine.docker, NODE, RUN)
  assert.deepEqual(engine.said, [`kill ${NODE}`, `network disconnect kind ${NODE}`, CONNECT])

  engine.running = true
  engine.said.length = 0
  await killNode(engine.docker, NODE, RUN)
  assert.deepEqual(engine.said, [`kill ${NODE}`])
})

test('a node of a network that gives no address on request is killed and keeps its network', async () => {
  const engine = new EngineOfOneNode()
  engine.fixed = false
  await killNode(engine.docker, NODE, RUN)
  assert.deepEqual(engine.said, [`kill ${NODE}`])
})

test('nothing is done to a node that is off', async () => {
  const engine = new EngineOfOneNode()
  engine.running = false
  await killNode(engine.docker, NODE, RUN)
  assert.deepEqual(engine.said, [])
})

test('a node with a frozen sandbox is thawed, and killed', async () => {
  const engine = new EngineOfOneNode()
  engine.frozen = true
  await killNode(engine.docker, NODE, RUN, (id) => {
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
    killNode(engine.docker, NODE, RUN, () => Promise.resolve(0)),
    /no exit event/,
  )
  assert.deepEqual(engine.said, [`kill ${NODE}`])
})
