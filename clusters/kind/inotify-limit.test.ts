import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { fewInotifyInstances } from './inotify-limit.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inotify-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a low limit is told with its remedy, a high one or none is no reason', async () => {
  const path = join(folder, 'limit')
  await writeFile(path, '128\n')
  assert.match((await fewInotifyInstances(path)) ?? '', /may have 128 inotify .*max_user_instances=512/)
  await writeFile(path, '8192\n')
  assert.equal(await fewInotifyInstances(path), undefined)
  assert.equal(await fewInotifyInstances(join(folder, 'none')), undefined)
})
