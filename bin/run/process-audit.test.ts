import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { RUN_CONTEXT_VARIABLE } from '../../support/run-context.ts'
import { auditProcesses } from './process-audit.ts'

const LISTENS = `
  const server = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(server.address().port))`

describe('processes that a run left', {
  skip: process.platform !== 'linux' && 'looks for processes in /proc',
}, () => {
  it('are named, with what they listen on, and no others', async () => {
    const context = `/nowhere/${process.pid}/run.json`
    const env = { ...process.env, [RUN_CONTEXT_VARIABLE]: context }
    const child = spawn(process.execPath, ['-e', LISTENS], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [port] = await once(child.stdout, 'data')
    try {
      const found = await auditProcesses(context)
      expect(found).to.have.length(1)
      expect(found[0]).to.match(new RegExp(`^process ${child.pid} .*TCP port ${String(port).trim()}$`, 's'))
      expect(await auditProcesses(`${context}.another`)).to.deep.equal([])
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('get a moment to be gone', async () => {
    const context = `/nowhere/${process.pid}/ending.json`
    const env = { ...process.env, [RUN_CONTEXT_VARIABLE]: context }
    const child = spawn(process.execPath, ['-e', LISTENS], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    const audit = auditProcesses(context)
    child.kill('SIGKILL')
    expect(await audit).to.deep.equal([])
  })
})
