import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { loadConfiguration, runCucumber } from '@cucumber/cucumber/api'
import type { RunContext } from '../run-context.ts'
import { allureCucumberOptions } from './allure/cucumber-options.ts'
import { SKIP_MEDIA_TYPE } from './media-types.ts'

export interface SampleRun {
  readonly context: RunContext
  /** Where Cucumber's messages are. */
  readonly messages: string
  remove(): Promise<void>
}

/** What is hostile or secret in the sample, for tests that look for it in the reports. */
export const HOSTILE_TITLE = '</script><script>alert(1)</script>'

const FEATURE = `
Feature: A pool, in small

  @NP-2.allocate @NP-2.stats
  Scenario: a law that holds
    Given it passes with evidence

  @NP-2.release
  Scenario: a law that does not hold ${HOSTILE_TITLE}
    Given it fails

  @NP-3.lost-answer
  Scenario: a law that holds at the second try
    Given it fails once

  @NP-5.never-ready @needs-more
  Scenario: a law that this cluster cannot show
    Given it passes with evidence

  @NP-2.list
  Scenario: a law that nobody can check
    Given nobody wrote this step

  @EDGE-3
  Scenario Outline: a broken entry, <cell>
    Given it passes with evidence
    Examples:
      | cell     |
      | not-yaml |
      | huge     |

  @EDGE-4.exhausted
  Scenario: one cell, shown twice, once in vain
    Given it fails

  @EDGE-4.exhausted
  Scenario: one cell, shown twice
    Given it passes with evidence

  Scenario: a law that a step gives up
    Given it gives up

  @NP-77.nothing
  Scenario: a law that nobody asked for
    Given it passes with evidence
`

/** Runs a small suite with every kind of outcome through the real Cucumber and the real reporters. */
export async function runSample(
  options: { evidence?: string; failBeforeAll?: boolean; name?: string; tags?: string } = {},
): Promise<SampleRun> {
  const folder = await mkdtemp(join(tmpdir(), `poolwright-${options.name ?? 'report'}-`))
  const reports = join(folder, 'reports')
  const features = join(folder, 'features')
  await Promise.all([mkdir(reports), mkdir(features)])
  await writeFile(join(features, 'sample.feature'), FEATURE)
  await writeFile(join(folder, 'steps.mjs'), steps(options))
  const messages = join(reports, 'messages.ndjson')
  const allure = allureCucumberOptions(reports)
  const silent = new PassThrough().resume()
  const environment = { cwd: folder, stdout: silent, stderr: silent }
  const { runConfiguration } = await loadConfiguration(
    {
      file: false,
      provided: {
        paths: ['features/sample.feature'],
        import: ['steps.mjs'],
        retry: 1,
        ...(options.tags !== undefined && { tags: options.tags }),
        format: [...allure.format, ['message', messages]],
        formatOptions: allure.formatOptions,
      },
    },
    environment,
  )
  // A failing BeforeAll hook makes Cucumber reject after its messages are written.
  await runCucumber(runConfiguration, environment).catch((error: unknown) => {
    if (!options.failBeforeAll) throw error
  })
  const remove = () => rm(folder, { recursive: true, force: true })
  return { context: contextOf(reports, features), messages, remove }
}

function steps({ evidence = 'nothing special', failBeforeAll = false }): string {
  return `
import { Before, BeforeAll, Given } from ${JSON.stringify(import.meta.resolve('@cucumber/cucumber'))}
let calls = 0
BeforeAll(() => { if (${failBeforeAll}) throw new Error('no cluster answers') })
Before({ tags: '@needs-more' }, function () {
  this.attach('this cluster has no more', { mediaType: ${JSON.stringify(SKIP_MEDIA_TYPE)} })
  return 'skipped'
})
Given('it passes with evidence', function () {
  this.attach(${JSON.stringify(evidence)}, { mediaType: 'text/plain', fileName: 'evidence.txt' })
})
Given('it gives up', function () {
  this.attach('the step gave up', { mediaType: ${JSON.stringify(SKIP_MEDIA_TYPE)} })
  return 'skipped'
})
Given('it fails', () => { throw new Error('two tests hold one node') })
Given('it fails once', () => { if (calls++ === 0) throw new Error('the answer was lost') })
`
}

function contextOf(reports: string, features: string): RunContext {
  return {
    runId: 'sample',
    startedAt: new Date().toISOString(),
    commit: '0123456789ab, with local changes',
    rung: 'embedded',
    cluster: 'default',
    version: 'v1.36.2',
    capabilities: [],
    standIns: ['an operator that is played'],
    limits: { reaction: 1000, step: 1000 },
    kubeconfigs: [],
    implementation: 'none',
    features,
    reports,
  }
}
