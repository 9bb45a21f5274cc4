import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { stringify } from 'yaml'
import { findJava } from './allure/java.ts'
import type { AllureResult, AllureStep } from './allure/result.ts'
import { blotOutLeaks } from './leaks.ts'
import { pageLoads } from './page-loads.ts'
import { findChromium, pageRequests } from './page-requests.ts'
import { type Reports, writeReports } from './reports.ts'
import { runSample, type SampleRun } from './sample-run.ts'
import { readSecrets } from './secrets.ts'

const PLANTED = 'planted-token-of-the-run'
const java = await findJava()
const chromium = findChromium()

describe('the reports of a run', () => {
  let sample: SampleRun
  let reports: Reports
  let folder: string
  let results: AllureResult[]

  before(async () => {
    sample = await runSample({ evidence: `curl -H "Authorization: Bearer ${PLANTED}"` })
    folder = sample.context.reports
    const kubeconfig = join(folder, '..', 'kubeconfig')
    await writeFile(kubeconfig, stringify({ users: [{ name: 'admin', user: { token: PLANTED } }] }))
    const context = { ...sample.context, kubeconfigs: [kubeconfig] }
    reports = await writeReports({ context, interrupted: false, require: [] })
    results = await readResults(join(folder, 'allure-results'))
  })
  after(() => sample.remove())

  it('fail the run when evidence carried a secret of the cluster, and name the files', () => {
    const said = reports.summary.problems.join('\n')
    expect(reports.summary.verdict).to.equal('failed')
    expect(said)
      .to.contain('messages.ndjson held a secret')
      .and.to.match(/allure-results\S+ held a secret/)
    expect(said).to.contain('token of user admin').and.not.to.contain(PLANTED)
  })

  it('hold that secret in none of their files', async () => {
    const secrets = await readSecrets([join(folder, '..', 'kubeconfig')])
    expect(secrets).to.have.length(1)
    expect(blotOutLeaks(folder, secrets)).to.deep.equal([])
    expect(await readFile(join(folder, 'acceptance.html'), 'utf8')).to.contain('held a secret')
  })

  it('file Allure results under family, criterion and cell', () => {
    const labels = labelsOf(find('a law that holds'))
    expect(labels.epic).to.deep.equal(['NP: The node pool'])
    expect(labels.feature).to.deep.equal(['NP-2: Allocation, release, status updates and stats are correct.'])
    expect(labels.story).to.have.members(['NP-2.allocate', 'NP-2.stats'])
    expect(labelsOf(find('a broken entry, huge')).story).to.deep.equal(['EDGE-3.huge'])
    expect(labelsOf(find('a law that nobody asked for')).epic).to.deep.equal(['Beyond the acceptance list'])
    expect(find('a law that holds').links?.map(({ url }) => url)).to.include('../acceptance.html#NP-2.stats')
  })

  it('leave the name of the machine out of Allure', () => {
    expect(results.flatMap(({ labels }) => labels ?? []).filter(({ name }) => name === 'host')).to.deep.equal(
      [],
    )
  })

  it('call a scenario with an undefined step broken, which the reporter calls passed', () => {
    const { status, statusDetails } = find('a law that nobody can check')
    expect(status).to.equal('broken')
    expect(statusDetails?.message).to.contain('nobody wrote this step')
  })

  it('tell Allure which pass was flaky, and why a scenario was skipped', () => {
    const tries = results.filter(({ name }) => name === 'a law that holds at the second try')
    expect(tries.map(({ status, statusDetails }) => [status, statusDetails?.flaky])).to.have.deep.members([
      ['broken', undefined],
      ['passed', true],
    ])
    const skipped = find('a law that this cluster cannot show')
    expect(skipped.statusDetails?.message).to.equal('this cluster has no more')
    expect(find('a law that a step gives up').statusDetails?.message).to.equal('the step gave up')
  })

  it('keep what several scenarios attached alike in one file, and every file that a result names', async () => {
    const names = await readdir(join(folder, 'allure-results'))
    const sources = results.flatMap(sourcesIn)
    expect(sources.length).to.be.greaterThan(new Set(sources).size)
    expect(names).to.include.members(sources)
    expect(names.filter((name) => name.includes('-attachment'))).to.have.length(new Set(sources).size + 1)
  })

  it('say where the run was and on which sources', async () => {
    const environment = await readFile(join(folder, 'allure-results', 'environment.properties'), 'utf8')
    expect(environment).to.contain('Rung=embedded').and.contain('Kubernetes=v1.36.2')
    expect(environment)
      .to.contain('Stand-ins=an operator that is played')
      .and.contain('Git\\ commit=0123456789ab, with local changes')
    const executor = await readFile(join(folder, 'allure-results', 'executor.json'), 'utf8')
    expect(JSON.parse(executor)).to.include({ name: 'Poolwright', buildName: 'sample' })
  })

  it('have an Allure page that loads nothing', { skip: java === undefined && 'needs Java' }, async () => {
    expect(reports.pages[1]).to.equal(join(folder, 'allure', 'index.html'))
    const page = await readFile(join(folder, 'allure', 'index.html'), 'utf8')
    expect(await readdir(join(folder, 'allure'))).to.deep.equal(['index.html'])
    expect(pageLoads(page)).to.deep.equal([])
    expect(page).not.to.match(/googletagmanager|google-analytics/)
    expect(page).to.contain("default-src 'none'")
    expect(page).to.contain('data/behaviors.json')
  })

  it('ask for nothing when a browser opens them', {
    skip: chromium === undefined && 'needs Chromium',
  }, async () => {
    for (const page of reports.pages) {
      const asked = await pageRequests(chromium ?? '', pathToFileURL(page).href)
      expect(asked).to.include(pathToFileURL(page).href)
      expect(asked.filter((url) => !/^(file|data|blob):/.test(url))).to.deep.equal([])
    }
  })

  const find = (name: string) => {
    const found = results.find((result) => result.name === name)
    if (!found) throw new Error(`no Allure result is called "${name}"`)
    return found
  }
})

describe('the reports of a run without Allure', () => {
  it('say nothing of a page that nobody asked for', async () => {
    const sample = await runSample()
    try {
      const { context } = sample
      const { pages, notes } = await writeReports({ context, interrupted: false, require: [], allure: false })
      expect(pages.map((page) => basename(page))).to.deep.equal(['acceptance.html'])
      expect(notes).to.deep.equal([])
    } finally {
      await sample.remove()
    }
  })
})

describe('the reports of a machine without Java', () => {
  it('keep the Allure results and say how to get the page', async () => {
    const sample = await runSample()
    const { PATH, JAVA_HOME } = process.env
    try {
      Object.assign(process.env, { PATH: join(sample.context.reports, 'no-such-folder'), JAVA_HOME: '' })
      const { pages, notes } = await writeReports({
        context: sample.context,
        interrupted: false,
        require: [],
      })
      expect(pages.map((page) => basename(page))).to.deep.equal(['acceptance.html'])
      expect(notes.join()).to.contain('apt-get install').and.contain('poolwright report generate')
      expect(await readResults(join(sample.context.reports, 'allure-results'))).not.to.have.length(0)
    } finally {
      restore({ PATH, JAVA_HOME })
      await sample.remove()
    }
  })
})

describe('the reports of a machine whose language is not in UTF-8', () => {
  it('have an Allure page although their folder has a name in UTF-8, and read no text wrong', {
    skip: java === undefined && 'needs Java',
  }, async () => {
    const sample = await runSample({ name: 'prüfung-検証' })
    const { LC_ALL } = process.env
    try {
      process.env.LC_ALL = 'C'
      const context = { ...sample.context, version: 'v1.36.2-größe' }
      const { pages, notes } = await writeReports({ context, interrupted: false, require: [] })
      expect(notes).to.deep.equal([])
      expect(pages.map((page) => basename(page))).to.deep.equal(['acceptance.html', 'index.html'])
      expect(await readFile(pages[1] ?? '', 'utf8')).to.contain('Poolwright on embedded, v1.36.2-größe')
    } finally {
      restore({ LC_ALL })
      await sample.remove()
    }
  })
})

function restore(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

async function readResults(folder: string): Promise<AllureResult[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('-result.json'))
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as AllureResult),
  )
}

function sourcesIn({ attachments = [], steps = [] }: AllureStep): string[] {
  return [...attachments.map(({ source }) => source), ...steps.flatMap(sourcesIn)]
}

function labelsOf({ labels = [] }: AllureResult): Record<string, string[]> {
  const groups = Object.groupBy(labels, ({ name }) => name)
  return Object.fromEntries(
    Object.entries(groups).map(([name, group = []]) => [name, group.map(({ value }) => value)]),
  )
}
