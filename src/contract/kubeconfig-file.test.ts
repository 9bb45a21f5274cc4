import assert from 'node:assert/strict'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { whyNoKubeconfig } from './kubeconfig-file.ts'

test('a device, a folder and a file beyond all measure are no kubeconfigs, before a byte is read', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kubeconfig-file-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  assert.equal(whyNoKubeconfig('/dev/zero'), 'it is not a file')
  assert.equal(whyNoKubeconfig(folder), 'it is not a file')
  const path = join(folder, 'config')
  assert.equal(whyNoKubeconfig(path), undefined)
  await writeFile(path, '{}')
  assert.equal(whyNoKubeconfig(path), undefined)
  await truncate(path, 5 * 1024 * 1024)
  assert.match(whyNoKubeconfig(path) ?? '', /^it has 5242880 bytes/)
})
