import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { UsageError } from '../../src/contract/errors.ts'
import { readPastRun } from './past-run.ts'
import { runSample, type SampleRun } from './sample-run.ts'

describe('what a run left', () => {
  let sample: SampleRun
  let whole: string
  let runJson: string
  before(async () => {
    sample = await runSample()
    whole = await readFile(sample.messages, 'utf8')
    runJson = join(sample.context.reports, 'run.json')
  })
  after(() => sample.remove())
  beforeEach(async () => {
    await writeFile(sample.messages, whole)
    await writeFile(runJson, JSON.stringify(sample.context))
  })

  const read = (partial = false) => readPastRun({ context: runJson, messages: sample.messages }, { partial })
  const messages = (change: (lines: string[]) => string[]) => () =>
    writeFile(sample.messages, `${change(whole.trimEnd().split('\n')).join('\n')}\n`)
  const context = (text: string) => () => writeFile(runJson, text)
  const lineWith = (lines: string[], type: string) => lines.findIndex((line) => line.startsWith(`{"${type}"`))

  it('is read where it is whole', async () => {
    expect(await read()).to.deep.equal({ context: sample.context, interrupted: false })
  })

  const DAMAGES: readonly (readonly [string, () => Promise<void>, RegExp])[] = [
    [
      'messages that are gone',
      () => rm(sample.messages),
      /messages\.ndjson: expected .*there is no such file/,
    ],
    ['empty messages', () => truncate(sample.messages), /messages\.ndjson: expected .*found an empty file/],
    [
      'messages that are none of JSON',
      messages(() => ['<html>', '</html>']),
      /messages\.ndjson: expected .*line 1 is no JSON object/,
    ],
    [
      'JSON that is no message',
      messages(() => ['{"pool":[]}']),
      /messages\.ndjson: expected .*found \{"pool"\} first/,
    ],
    [
      'messages broken in their middle',
      messages((lines) => [...lines.slice(0, 7), lines[7]?.slice(0, 20) ?? '', ...lines.slice(8)]),
      /messages\.ndjson: expected .*line 8 is no JSON object/,
    ],
    [
      'messages that lack some of their lines',
      messages((lines) => lines.toSpliced(lineWith(lines, 'testCase'), 1)),
      /messages\.ndjson: expected .*line \d+ speaks of a test case that no line before it describes/,
    ],
    [
      'messages cut in the middle of a line',
      () => truncate(sample.messages, Math.floor(whole.length / 2)),
      /messages\.ndjson: expected testRunFinished .*--partial/,
    ],
    [
      'messages cut between two lines',
      messages((lines) => lines.slice(0, -1)),
      /messages\.ndjson: expected testRunFinished .*--partial/,
    ],
    ['an empty run.json', context(''), /run\.json: expected .*found an empty file/],
    ['a run.json that is cut', context('{"runId":"a'), /run\.json: expected .*found no JSON/],
    ['a run.json of something else', context('[]'), /run\.json: expected .*found no runId/],
    [
      'a run.json that lacks something',
      context('{"runId":"a","startedAt":"2026-03-31T12:00:00Z"}'),
      /run\.json: expected .*found no rung/,
    ],
  ]
  for (const [what, damage, line] of DAMAGES) {
    it(`is refused for ${what}`, async () => {
      await damage()
      const refused = await read().catch((error: unknown) => error)
      expect(refused).to.be.instanceOf(UsageError)
      expect((refused as Error).message)
        .to.match(line)
        .and.contain(sample.context.reports)
      expect((refused as Error).message).not.to.contain('\n')
    })
  }

  it('may end early where that is said', async () => {
    await truncate(sample.messages, Math.floor(whole.length / 2))
    expect(await read(true)).to.include({ interrupted: true })
  })
})
