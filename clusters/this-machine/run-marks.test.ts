import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { UsageError } from '../../src/contract/errors.ts'
import { identify } from '../../src/process/process-identity.ts'
import { thisMachine } from '../../src/process/process-table.ts'
import { livingRuns, markRun, refuseWhileUsed, unmarkRun } from './run-marks.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'run-marks-'))
})
afterEach(() => rm(directory, { recursive: true }))

const refusal = () => refuseWhileUsed(directory, 'default', 'taken down').catch((error: unknown) => error)

/** As another process writes it. */
async function mark(runId: string, content: object): Promise<void> {
  await mkdir(join(directory, 'runs', runId), { recursive: true })
  await writeFile(join(directory, 'runs', runId, 'run.json'), JSON.stringify({ runId, ...content }))
}

test('a run of another process keeps a cluster, by its name, until it ends', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await once(other, 'spawn')
  const { boot } = thisMachine
  await mark('20260331-a', { boot, ...(await identify(other.pid ?? 0)) })
  const refused = await refusal()
  assert.ok(refused instanceof UsageError)
  assert.match(refused.message, /default is in use by run 20260331-a \(process \d+\) and can't be taken down/)
  const ended = once(other, 'exit')
  other.kill('SIGKILL')
  await ended
  assert.equal(await refusal(), undefined)
  assert.deepEqual(await readdir(join(directory, 'runs')), [])
})

test('a process with the same number counts for nothing after another start, of it or of the machine', async () => {
  const init = await identify(1)
  await mark('of-another-start', { boot: thisMachine.boot, pid: 1, started: 'earlier' })
  await mark('of-another-boot', { boot: 'earlier', ...init })
  await mark('cut-short', {})
  assert.deepEqual(await livingRuns(directory), [])
})

test('several runs share a cluster, none stands in its own way, and each ends alone', async () => {
  const folder = await markRun(directory, 'one')
  await markRun(directory, 'two')
  assert.deepEqual((await livingRuns(directory)).map(({ runId }) => runId).toSorted(), ['one', 'two'])
  assert.equal(JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')).pid, process.pid)
  assert.equal(await refusal(), undefined)
  await unmarkRun(directory, 'one')
  assert.deepEqual(
    (await livingRuns(directory)).map(({ runId }) => runId),
    ['two'],
  )
})
