import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { runSample, type SampleRun } from '../../support/report/sample-run.ts'
import { openSandbox, type Sandbox } from '../fixtures/command-line.ts'
import { lockReports } from '../run/reports-lock.ts'

const OLD_PAGE = '<p>the page of the run</p>'

describe('report generate', () => {
  let sandbox: Sandbox
  let sample: SampleRun
  let whole: string
  let folder: string
  before(async () => {
    sandbox = await openSandbox()
    sample = await runSample()
    folder = sample.context.reports
    whole = await readFile(sample.messages, 'utf8')
  })
  after(async () => {
    await sample.remove()
    await sandbox[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    await writeFile(sample.messages, whole)
    await writeFile(join(folder, 'run.json'), JSON.stringify(sample.context))
    await writeFile(join(folder, 'acceptance.html'), OLD_PAGE)
    await writeFile(join(folder, 'acceptance.json'), '{"old":true}')
  })

  const generate = (...words: string[]) => sandbox.run('report', 'generate', '--reports', folder, ...words)
  const page = () => readFile(join(folder, 'acceptance.html'), 'utf8')

  it('makes the pages again from what the run left', async () => {
    const { stdout } = await generate()
    expect(stdout).to.contain(join(folder, 'acceptance.html'))
    expect(await page()).to.contain('a law that holds')
    expect(JSON.parse(await readFile(join(folder, 'acceptance.json'), 'utf8')).scenarios).to.equal(9)
  })

  it('refuses what is damaged in one line, and leaves the old pages alone', async () => {
    await truncate(sample.messages, whole.length - 1000)
    const { exitCode, stdout, stderr } = await generate()
    expect(stderr).to.match(
      /^poolwright: .*messages\.ndjson: expected testRunFinished [^\n]*--partial[^\n]*\n?$/,
    )
    expect(stdout).to.equal('')
    expect(exitCode).to.equal(2)
    expect(await page()).to.equal(OLD_PAGE)
    expect(await readFile(join(folder, 'acceptance.json'), 'utf8')).to.equal('{"old":true}')
  })

  it('shows a run that was cut short when it is told so', async () => {
    await truncate(sample.messages, whole.length - 1000)
    const { stdout } = await generate('--partial')
    expect(stdout).to.contain('acceptance.html')
    expect(await page()).to.contain('The run was interrupted before its end')
  })

  it('waits for nobody: a folder that a run is writing to is refused', async () => {
    await using _running = await lockReports(folder)
    const { exitCode, stderr } = await generate()
    expect(stderr).to.match(/process \d+ writes its reports to/)
    expect(exitCode).to.equal(2)
    expect(await page()).to.equal(OLD_PAGE)
  })

  it('makes no folder where there is none', async () => {
    const { exitCode, stderr } = await sandbox.run('report', 'generate', '--reports', join(folder, 'none'))
    expect(stderr).to.match(/There are no reports in .*none/)
    expect(exitCode).to.equal(2)
  })
})
