import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { stopReason, stopRun } from './stopped-run.ts'

const MODULE = JSON.stringify(new URL('stopped-run.ts', import.meta.url))

test('a run that one worker stops is stopped in all of them', async () => {
  const says = (code: string): Worker => new Worker(code, { eval: true })
  const other = says(`
    import(${MODULE}).then(({ stopReason }) => {
      const look = setInterval(() => {
        if (stopReason() === undefined) return
        clearInterval(look)
        require('node:worker_threads').parentPort.postMessage(stopReason())
      }, 5)
      require('node:worker_threads').parentPort.postMessage('started')
    })`)
  try {
    const heard: unknown[] = []
    const all = new Promise<void>((resolve, reject) => {
      other.on('error', reject)
      other.on('message', (message: unknown) => {
        heard.push(message)
        if (message === 'started') stopRun('what "a drill" changed could not be put back')
        else resolve()
      })
    })
    // Which is heard in a moment, or never.
    const signal = AbortSignal.timeout(20_000)
    await Promise.race([all, once(signal, 'abort')])
    expect(heard).to.deep.equal(['started', 'what "a drill" changed could not be put back'])
    expect(stopReason()).to.equal('what "a drill" changed could not be put back')
  } finally {
    await other.terminate()
  }
})
