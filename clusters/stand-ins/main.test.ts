import assert from 'node:assert/strict'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

test('a start takes away the sign of readiness that an earlier one left', { timeout: 60_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'poolwright-stand-ins-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const ready = join(folder, 'ready')
  await writeFile(ready, '')
  // Without a cluster it never gets ready.
  const words = [MAIN, '--kubeconfig', join(folder, 'none'), '--ready-file', ready]
  const { exitCode } = await execa(process.execPath, words, { reject: false, timeout: 50_000 })
  assert.equal(exitCode, 2)
  await assert.rejects(access(ready), { code: 'ENOENT' })
})
