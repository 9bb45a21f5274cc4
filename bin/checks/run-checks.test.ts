import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { execa } from 'execa'
import { commandLinesWith } from '../fixtures/command-line.ts'

const LIMIT_MS = 20_000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'poolwright-checks-'))
  mkdirSync(join(folder, 'part'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Starts the checks on a folder of tests, with one more stage that says when it has its turn. */
function start(port = 0) {
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const program = join(folder, 'checks.mjs')
  writeFileSync(
    program,
    `const [{ runChecks }, { unitTestsIn }] = [await import(${module('./run-checks.ts')}), await import(${module('./unit-tests.ts')})]
     const next = { name: 'next', run: async () => { console.log('the next stage'); return { passed: 1, failed: 0, skipped: 0, output: '' } } }
     process.exitCode = await runChecks([[unitTestsIn(${JSON.stringify(folder)})], [next]])`,
  )
  const env = { NODE_TEST_CONTEXT: undefined, PORT: `${port}` }
  return execa(process.execPath, [program], { env, reject: false, timeout: LIMIT_MS, killSignal: 'SIGKILL' })
}

/** Starts them and resolves once a test has called, in the middle of what it does. */
async function startUntilCalled() {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const running = start((server.address() as AddressInfo).port)
  await Promise.race([once(server, 'connection'), running])
  server.close()
  return { signal: (signal: NodeJS.Signals) => running.kill(signal), ended: async () => await running }
}

function testFile(name: string, body: string): void {
  writeFileSync(join(folder, 'part', `${name}.test.ts`), `import { it } from 'node:test'\n${body}\n`)
}

describe('npm test', { skip: process.platform !== 'linux' && 'looks for processes in /proc' }, () => {
  it('goes through its stages and counts', async () => {
    testFile('one', `it('passes', () => {})`)
    testFile('two', `it('fails', () => { throw new Error('no') })`)
    const { stdout, exitCode } = await start()
    expect(stdout)
      .to.match(/✖ unit tests: 1 passed, 1 failed/)
      .and.to.match(/the next stage/)
    expect(stdout).to.match(/^2 passed, 1 failed$/m)
    expect(exitCode).to.equal(1)
  })

  for (const [what, preparation] of [
    ['wait for ever', ''],
    ['are deaf to it', `process.on('SIGTERM', () => {})`],
  ])
    it(`ends at SIGTERM although its tests ${what}, with 130, and leaves no process`, async () => {
      testFile(
        'waits',
        `${preparation}
         it('waits', async () => {
           process.getBuiltinModule('node:net').connect(Number(process.env.PORT))
           await new Promise(() => setInterval(() => {}, 1000))
         })`,
      )
      const running = await startUntilCalled()
      running.signal('SIGTERM')
      const { stdout, exitCode, timedOut } = await running.ended()
      expect(timedOut, stdout).to.equal(false)
      expect(stdout).not.to.match(/the next stage/)
      expect(exitCode).to.equal(130)
      expect(await commandLinesWith(folder)).to.deep.equal([])
    })
})
