import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { makeReportsFolder } from './reports-folder.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reports-folder-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a folder of other things is refused: what a run finds in its folder it may remove or rewrite', async () => {
  await writeFile(join(folder, 'kubeconfig'), '')
  await assert.rejects(makeReportsFolder(folder), /holds other things than reports, such as kubeconfig/)
  await assert.rejects(makeReportsFolder('/'), /holds other things than reports/)
})

test('an empty folder, a new one and one of earlier reports are taken', async () => {
  await makeReportsFolder(folder)
  await makeReportsFolder(join(folder, 'new', 'one'))
  await mkdir(join(folder, 'allure'))
  await makeReportsFolder(folder)
})
