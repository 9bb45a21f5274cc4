import { fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'

const LIMIT_MS = 60_000
const ABORT = new URL('./abort.ts', import.meta.url).href

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'poolwright-abort-'))
})
after(() => rmSync(folder, { recursive: true }))

/** Starts a main thread with two workers, the second only when told to; each says when its signal aborts. */
function start() {
  const worker = join(folder, 'worker.mjs')
  writeFileSync(
    worker,
    `import { parentPort } from 'node:worker_threads'
     const { runSignal } = await import(${JSON.stringify(ABORT)})
     const say = () => parentPort.postMessage(runSignal.reason.message)
     if (runSignal.aborted) say()
     else runSignal.addEventListener('abort', say)
     setTimeout(() => {}, ${LIMIT_MS})
     parentPort.postMessage('ready')`,
  )
  const main = join(folder, 'main.mjs')
  writeFileSync(
    main,
    `import { Worker } from 'node:worker_threads'
     const { runSignal } = await import(${JSON.stringify(ABORT)})
     // With the callback a channel that closes meanwhile is no error of the process.
     const say = (who, text) =>
       process.connected ? process.send(who + ' ' + text, () => {}) : console.log(who + ' ' + text)
     runSignal.addEventListener('abort', () => say('main', runSignal.reason.message))
     const begin = (who) => {
       const worker = new Worker(${JSON.stringify(worker)})
       worker.on('message', (text) => { say(who, text); if (text !== 'ready') worker.terminate() })
     }
     begin('first')
     process.on('message', (message) => message === 'second' && begin('second'))`,
  )
  const child = fork(main, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const heard: string[] = []
  const more = new EventEmitter()
  const take = (text: string) => {
    heard.push(...text.trim().split('\n'))
    more.emit('more')
  }
  child.on('message', (line) => take(String(line)))
  // Without IPC it prints instead.
  child.stdout
    ?.setEncoding('utf8')
    .on('data', take)
    .on('end', () => more.emit('end'))
  const hear = async (line: string) => {
    while (!heard.includes(line)) {
      const [, ended] = await Promise.race([once(more, 'more'), once(more, 'end').then(() => ['', true])])
      if (ended && !heard.includes(line)) throw new Error(`ended after saying: ${heard.join(', ')}`)
    }
  }
  // After disconnect() Node keeps the pipe of a child that has ended open.
  child.on('exit', () => setImmediate(() => child.stdout?.destroy()))
  return { child, hear }
}

describe('the end of a run', { timeout: LIMIT_MS }, () => {
  it('reaches the main thread, a worker that runs, and one that starts later', async () => {
    const { child, hear } = start()
    await hear('first ready')
    child.send({ type: 'abort', reason: 'SIGINT' })
    await hear('main The run was interrupted: SIGINT')
    await hear('first The run was interrupted: SIGINT')
    child.send('second')
    await hear('second The run was interrupted: SIGINT')
    // Nothing of it keeps a process alive that has nothing else to do.
    child.disconnect()
    const [code] = await once(child, 'exit')
    expect(code).to.equal(0)
  })

  it('comes by itself when the command line is gone', async () => {
    const { child, hear } = start()
    await hear('first ready')
    child.disconnect()
    await hear('main The run was interrupted: the command line ended')
    await hear('first The run was interrupted: the command line ended')
  })
})
