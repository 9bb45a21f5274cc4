import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it, test } from 'node:test'
import { expect } from 'chai'
import { openSandbox, type Sandbox, sample } from './fixtures/command-line.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await openSandbox()
})
afterEach(() => sandbox[Symbol.asyncDispose]())

const acceptance = () => JSON.parse(readFileSync(join(sandbox.reports, 'acceptance.json'), 'utf8'))
const messages = () => readFileSync(join(sandbox.reports, 'messages.ndjson'), 'utf8')

const allureStatuses = () =>
  Object.fromEntries(
    globSync(join(sandbox.reports, 'allure-results', '*-result.json')).map((path) => {
      const { name, status, statusDetails } = JSON.parse(readFileSync(path, 'utf8'))
      return [name, `${status}: ${statusDetails?.message?.split('\n', 1)[0]}`]
    }),
  )

describe('a run that is interrupted', {
  skip: process.platform !== 'linux' && 'looks for processes in /proc',
}, () => {
  for (const [workers, signal, tags] of [
    // Alone in its thread, what comes after the slow one never gets its turn.
    [1, 'SIGINT', '@slow or @crash'],
    [2, 'SIGTERM', '@slow'],
  ] as const) {
    it(`by ${signal} with ${workers} worker(s) runs its hooks, writes its reports and exits 130`, async () => {
      const running = await sandbox.startUntil('waiting', '--tags', tags, '--parallel', `${workers}`)
      running.signal(signal)
      const { exitCode, stdout, stderr } = await running.ended
      expect(stdout).to.match(/cleaned up/)
      expect(stdout, `exit code ${exitCode}, ${stderr}`).to.match(/Interrupted\. Scenarios on embedded/)
      expect(exitCode).to.equal(130)
      expect(acceptance()).to.have.property('cluster').that.has.property('rung', 'embedded')
      expect(messages()).to.match(/"testRunFinished"/)
      await sandbox.emptied()
    })
  }

  it('never makes a failure of a scenario under way, whatever its step made of it', async () => {
    const running = await sandbox.startUntil('waiting to fail', '--tags', '@judging', '--parallel', '2')
    await running.printed('waiting to pass')
    await running.printed('✖ one that failed before')
    running.signal('SIGINT')
    const { exitCode, stdout } = await running.ended
    expect(exitCode).to.equal(130)
    expect(stdout).to.match(/○ one whose step judges .* The run was interrupted: SIGINT/)
    expect(stdout).to.match(/○ one whose next step judges .* The run was interrupted: SIGINT/)
    expect(stdout).to.match(/: 0 passed, 1 failed, 2 missing/)
    const page = readFileSync(join(sandbox.reports, 'acceptance.html'), 'utf8')
    expect(page)
      .to.match(/the run ended while it was running/)
      .and.not.to.match(/found Cancelled/)
    expect(allureStatuses()).to.deep.equal({
      'one whose step judges what the interruption made of it': 'skipped: The run was interrupted: SIGINT',
      'one whose next step judges what the interruption made of it':
        'skipped: The run was interrupted: SIGINT',
      'one that failed before the interruption': 'broken: Error: expected an apple, found a pear',
    })
    await sandbox.emptied()
  })

  it('twice ends everything at once, and still writes its verdict', async () => {
    const running = await sandbox.startUntil('waiting', '--tags', '@stubborn')
    running.signal('SIGINT')
    await running.printed('a second one ends them at once')
    // Another signal, since the same one right after the first is taken for the same key press.
    running.signal('SIGTERM')
    const { exitCode } = await running.ended
    expect(exitCode).to.equal(130)
    expect(acceptance()).to.have.property('run')
    await sandbox.emptied()
  })

  it('by a terminal that is closed writes its reports all the same', async () => {
    const running = await sandbox.startUntil('waiting', '--tags', '@slow')
    running.close()
    running.signal('SIGHUP')
    const { exitCode } = await running.ended
    expect(exitCode).to.equal(130)
    expect(acceptance()).to.have.property('run')
    await sandbox.emptied()
  })

  it('by the death of the command line cleans up and ends all the same', async () => {
    const running = await sandbox.startUntil('waiting', '--tags', '@slow', '--parallel', '2')
    running.signal('SIGKILL')
    await running.ended
    await sandbox.emptied()
    expect(messages()).to.match(/"testRunFinished"/)
  })
})

test('a second run into the same folder is refused, and leaves the first one’s reports alone', async () => {
  const running = await sandbox.startUntil('waiting', '--tags', '@slow')
  const { exitCode, stderr } = await sandbox.run(...sample(sandbox, '--tags', '@good'))
  running.signal('SIGINT')
  await running.ended
  expect(stderr).to.match(/process \d+ writes its reports to .*name another folder with --reports/)
  expect(exitCode).to.equal(2)
  expect(messages()).to.match(/"testRunFinished"/)
})
