import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { UsageError } from '../../src/contract/errors.ts'
import { type AcceptanceRequest, writeAcceptance } from './acceptance.ts'
import { pageLoads } from './page-loads.ts'
import { HOSTILE_TITLE, runSample, type SampleRun } from './sample-run.ts'
import type { AcceptanceSummary } from './summary.ts'

interface Json {
  run: string
  scenarios: number
  seconds: number
  cluster: object
  criteria: Record<string, { verdict: string; cells: Record<string, Record<string, unknown>> }>
}

describe('the acceptance report of a run', () => {
  let sample: SampleRun
  let summary: AcceptanceSummary
  let json: Json
  let page: string

  before(async () => {
    sample = await runSample()
    summary = await write()
    json = await readJson()
    page = await readFile(join(sample.context.reports, 'acceptance.html'), 'utf8')
  })
  after(() => sample.remove())

  const write = (change: Partial<AcceptanceRequest> = {}) =>
    writeAcceptance({ ...request(sample), ...change })
  const readJson = async () =>
    JSON.parse(await readFile(join(sample.context.reports, 'acceptance.json'), 'utf8')) as Json

  it('says which run it was, where, and how much ran', () => {
    expect(Object.keys(json)).to.deep.equal([
      'run',
      'startedAt',
      'cluster',
      'seconds',
      'scenarios',
      'criteria',
    ])
    expect(json.cluster).to.deep.equal({ rung: 'embedded', version: 'v1.36.2' })
    expect(json.scenarios).to.equal(9)
    expect(json.seconds).to.be.a('number').and.at.least(0)
  })

  it('gives each cell the verdict of its scenarios', () => {
    const cell = (id: string, name: string) => json.criteria[id]?.cells[name]
    expect(cell('NP-2', 'allocate')).to.deep.equal({
      verdict: 'passed',
      scenarios: ['features/sample.feature:5 a law that holds'],
    })
    expect(cell('NP-2', 'stats')?.verdict).to.equal('passed')
    expect(cell('NP-2', 'release')).to.include({
      verdict: 'failed',
      reason: 'Given it fails: Error: two tests hold one node',
    })
    expect(cell('NP-2', 'list')?.verdict).to.equal('failed')
    expect(cell('NP-3', 'lost-answer')).to.include({ verdict: 'flaky', reason: 'passed only on try 2' })
    expect(cell('NP-5', 'never-ready')).to.include({ verdict: 'skipped', reason: 'this cluster has no more' })
    expect(cell('NP-5', 'cleanup')).to.deep.equal({
      verdict: 'missing',
      reason: 'no scenario names this cell',
      scenarios: [],
    })
    expect(cell('EDGE-3', 'huge')?.verdict).to.equal('passed')
  })

  it('lets one failure among the scenarios of a cell decide', () => {
    expect(json.criteria['EDGE-4']?.cells.exhausted).to.include({ verdict: 'failed' })
    expect(json.criteria['EDGE-4']?.cells.exhausted?.scenarios).to.have.length(2)
  })

  it('leaves no cell of the list out', () => {
    const cells = Object.values(json.criteria).flatMap((criterion) => Object.keys(criterion.cells))
    expect(Object.keys(json.criteria)).to.have.length(35)
    expect(cells).to.have.length(183)
    expect(Object.values(summary.cells).reduce((sum, count) => sum + count)).to.equal(183)
  })

  it('computes what no scenario can claim', () => {
    expect(json.criteria['NP-1']?.verdict).to.equal('failed')
    expect(json.criteria['NP-1']?.cells.computed?.reason).to.match(/^4 of 73 cells passed, /)
    expect(json.criteria['NP-4']?.verdict).to.equal('failed')
    expect(json.criteria['AP-10']?.verdict).to.equal('missing')
  })

  it('fails the run for a tag that names nothing, by name', () => {
    expect(summary.verdict).to.equal('failed')
    expect(summary.problems).to.have.length(1)
    expect(summary.problems[0]).to.match(/sample\.feature:\d+: tag @NP-77: no such criterion/)
  })

  it('counts scenarios once, however often they were tried', () => {
    expect(summary.scenarios).to.deep.equal({
      failed: 3,
      flaky: 1,
      missing: 0,
      unselected: 0,
      skipped: 2,
      passed: 5,
    })
  })

  it('names what was required and did not pass', async () => {
    const { unmet } = await write({ require: ['NP-2.allocate', 'NP-2.release', 'EDGE-1'] })
    expect(unmet.map(({ id, verdict }) => [id, verdict])).to.deep.equal([
      ['NP-2.release', 'failed'],
      ['EDGE-1', 'missing'],
    ])
  })

  it('refuses to require what does not exist', async () => {
    const refused = await write({ require: ['NP-2.releese'] }).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(UsageError)
    expect(String(refused)).to.contain('NP-2.releese')
  })

  it('is a page that shows hostile names and obeys none', () => {
    expect(page).not.to.contain(HOSTILE_TITLE)
    expect(page).to.contain('&lt;/script&gt;&lt;script&gt;alert(1)')
    expect(page.match(/<script/g)).to.have.length(1)
  })

  it('is a page that loads nothing and runs only its own script', () => {
    expect(pageLoads(page)).to.deep.equal([])
    expect(page).to.match(/default-src &#39;none&#39;.*script-src &#39;sha256-[\w+/]{43}=&#39;/)
    expect(page).not.to.match(/\son\w+\s*=/i)
  })

  it('links every cell to a place that exists', () => {
    const ids = new Set([...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]))
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    expect(targets).to.include('NP-2.release')
    expect(targets.filter((target) => !ids.has(target))).to.deep.equal([])
  })
})

describe('the acceptance report of a selection', () => {
  let sample: SampleRun
  let json: Json
  let summary: AcceptanceSummary
  let page: string
  before(async () => {
    sample = await runSample({ tags: '@NP-2.allocate' })
    // A file that this run was not told to read, and a tag in it that is none of this run's business.
    const other = join(sample.context.features ?? '', 'other.feature')
    await writeFile(other, OTHER)
    summary = await writeAcceptance(request(sample))
    json = JSON.parse(await readFile(join(sample.context.reports, 'acceptance.json'), 'utf8')) as Json
    page = await readFile(join(sample.context.reports, 'acceptance.html'), 'utf8')
  })
  after(() => sample.remove())

  const OTHER = `
Feature: Elsewhere
  @NP-5.cleanup
  Scenario: a law of another file
    Given it passes with evidence
  @EDGE-7
  Scenario Outline: a field that is missing, <cell>
    Given it passes with evidence
    Examples:
      | cell     |
      | username |
  @NP-88.typo
  Scenario: a law that is being written
    Given it passes with evidence
`
  const cell = (id: string, name: string) => json.criteria[id]?.cells[name]

  it('tells what it left out from what no scenario names', () => {
    const unselected = { verdict: 'unselected', reason: 'not selected in this run' }
    expect(cell('NP-2', 'allocate')?.verdict).to.equal('passed')
    expect(cell('NP-2', 'release')).to.include(unselected)
    expect(cell('NP-5', 'cleanup')).to.deep.equal({
      ...unselected,
      scenarios: ['features/other.feature:4 a law of another file'],
    })
    expect(cell('EDGE-7', 'username')).to.include(unselected)
    expect(cell('EDGE-7', 'platform')).to.include({
      verdict: 'missing',
      reason: 'no scenario names this cell',
    })
  })

  it('does not judge a file that the run did not read', () => {
    expect(summary.problems.join()).not.to.contain('NP-88')
    expect(summary.scenarios).to.include({ passed: 1, unselected: 0 })
  })

  it('does not ask for attention to what was left out', () => {
    const asked = page.slice(page.indexOf('<h2 id="attention"'), page.indexOf('<h2 id="overview"'))
    expect(asked).to.contain('#EDGE-7.platform"').and.not.to.contain('#NP-5.cleanup"')
    expect(asked).not.to.contain('not selected')
  })
})

describe('the acceptance report of a run that was cut short', () => {
  let sample: SampleRun
  before(async () => {
    sample = await runSample()
  })
  after(() => sample.remove())

  it('reads messages up to the half line at their end, and calls the rest missing', async () => {
    const content = await readFile(sample.messages, 'utf8')
    const end = content.indexOf('"testCaseStarted"', content.indexOf('"testCaseStarted"') + 1)
    await truncate(sample.messages, Buffer.byteLength(content.slice(0, end + 40)))
    const summary = await writeAcceptance({ ...request(sample), interrupted: true })
    expect(summary.scenarios).to.include({ passed: 1, failed: 0, missing: 10 })
  })

  it('fails when nobody interrupted it', async () => {
    const summary = await writeAcceptance(request(sample))
    expect(summary.verdict).to.equal('failed')
    expect(summary.problems.join()).to.contain('ended without saying that the run was finished')
  })

  it('is written even where Cucumber left nothing at all', async () => {
    const nothing = join(sample.context.reports, 'nothing.ndjson')
    await writeAcceptance({ ...request(sample), messages: nothing, interrupted: true })
    await writeFile(nothing, '')
    const { cells } = await writeAcceptance({ ...request(sample), messages: nothing, interrupted: true })
    expect(cells).to.include({ passed: 0, failed: 0 })
  })
})

describe('the acceptance report of a run whose BeforeAll hook failed', () => {
  it('shows the failure although no scenario ran', async () => {
    const sample = await runSample({ failBeforeAll: true })
    try {
      const summary = await writeAcceptance(request(sample))
      expect(summary.verdict).to.equal('failed')
      expect(summary.problems.join()).to.contain('no cluster answers')
      expect(summary.scenarios).to.include({ passed: 0, missing: 11 })
      const page = await readFile(join(sample.context.reports, 'acceptance.html'), 'utf8')
      expect(page).to.contain('no cluster answers')
    } finally {
      await sample.remove()
    }
  })
})

function request({ context, messages }: SampleRun): AcceptanceRequest {
  return { context, messages, reports: context.reports, interrupted: false, require: [] }
}
