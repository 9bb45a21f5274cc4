import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { IFormatterOptions } from '@cucumber/cucumber'
import ResultsReporter from './reporter.ts'
import { ResultsWriter } from './results-writer.ts'

test('results stand under the names that Allure reads, and nothing unfinished beside them', async (t) => {
  const folder = await scratchFolder(t)
  const writer = new ResultsWriter(join(folder, 'results'))
  writer.writeResult({ uuid: 'a' })
  writer.writeGroup({ uuid: 'b' })
  writer.writeAttachment('c-attachment.txt', Buffer.from('evidence'))
  writer.writeGlobals('d-globals.json', { errors: [] })
  assert.deepEqual((await readdir(join(folder, 'results'))).toSorted(), [
    'a-result.json',
    'b-container.json',
    'c-attachment.txt',
    'd-globals.json',
  ])
  assert.equal(await readFile(join(folder, 'results', 'a-result.json'), 'utf8'), '{"uuid":"a"}')
  assert.equal(await readFile(join(folder, 'results', 'c-attachment.txt'), 'utf8'), 'evidence')
})

test("Allure's reporter takes our writer in place of its own", async (t) => {
  const options = {
    parsedArgvOptions: { resultsDir: await scratchFolder(t) },
    eventBroadcaster: new EventEmitter(),
    supportCodeLibrary: {
      beforeTestCaseHookDefinitions: [],
      afterTestCaseHookDefinitions: [],
      beforeTestRunHookDefinitions: [],
      afterTestRunHookDefinitions: [],
    },
  }
  const reporter = new ResultsReporter(options as unknown as IFormatterOptions)
  const { writer } = (reporter as unknown as { allureRuntime: { writer: unknown } }).allureRuntime
  assert.ok(writer instanceof ResultsWriter)
})

async function scratchFolder(t: { after(clean: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'results-writer-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
