import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { identify, lives, signalProcess } from './process-identity.ts'
import { thisMachine } from './process-table.ts'

const LIMIT_MS = 10_000

describe('a process', () => {
  it('is the same for as long as it lives, and then none', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    await once(child, 'spawn')
    const identity = await identify(child.pid ?? 0)
    if (!identity) throw new Error('a process that was just started is not found')
    expect(await identify(identity.pid)).to.deep.equal(identity)
    expect(await lives(identity)).to.equal(true)
    const ended = once(child, 'exit')
    await signalProcess(identity, 'SIGKILL')
    expect(await ended).to.deep.equal([null, 'SIGKILL'])
    expect(await lives(identity)).to.equal(false)
    await signalProcess(identity, 'SIGKILL')
  })

  it('is another than an earlier one of its number, which no signal reaches it for', async () => {
    const earlier = { pid: process.pid, started: 'earlier' }
    expect(await lives(earlier)).to.equal(false)
    await signalProcess(earlier, 'SIGKILL')
  })

  it('has ended although its parent has not asked yet', {
    skip: process.platform !== 'linux' && 'looks for processes in /proc',
  }, async () => {
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string]
    const pid = Number(line)
    const deadline = Date.now() + LIMIT_MS
    while (thisMachine.startTime(pid) !== 'ended' && Date.now() < deadline) await delay(10)
    try {
      expect(thisMachine.isAbsent(pid)).to.equal(false)
      expect(thisMachine.startTime(pid)).to.equal('ended')
      expect(await identify(pid)).to.equal(undefined)
    } finally {
      parent.kill('SIGKILL')
      await once(parent, 'exit')
    }
  })
})
