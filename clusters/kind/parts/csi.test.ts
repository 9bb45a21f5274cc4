import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { STORAGE_ROLE_LABEL } from '../../../src/contract/names.ts'
import { PUBLISHED_IMAGES } from '../versions.ts'
import { readCsiManifests } from './csi.ts'

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> }
}

async function read(...parts: Parameters<typeof readCsiManifests>[0]): Promise<Manifest[]> {
  const texts = await readCsiManifests(parts, 'ours/driver:1')
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest))
}

test('the storage role csi has one class, whoever plays it', async () => {
  for (const part of ['host-path', 'node-folder'] as const) {
    const classes = (await read(part)).filter(({ kind }) => kind === 'StorageClass')
    assert.deepEqual(
      classes.map(({ metadata }) => metadata.name),
      ['csi'],
    )
  }
})

test('every storage class is marked for the role that it plays', async () => {
  const roles: unknown[] = []
  for (const part of ['host-path', 'node-folder', 'shared-folder'] as const)
    for (const { kind, metadata } of await read(part))
      if (kind === 'StorageClass') roles.push([part, metadata.labels?.[STORAGE_ROLE_LABEL]])
  assert.deepEqual(roles, [
    ['host-path', 'csi'],
    ['node-folder', 'csi'],
    ['shared-folder', 'movable'],
  ])
})

test('without a part there is nothing, not even the namespace', async () => {
  assert.deepEqual(await read(), [])
  assert.equal((await read('shared-folder'))[0]?.kind, 'Namespace')
})

test('every image of the published driver is one that is pulled', async () => {
  const pulled: readonly string[] = Object.values(PUBLISHED_IMAGES)
  const text = (await readCsiManifests(['host-path'])).join('\n')
  const named = [...text.matchAll(/image: (\S+)/g)].map(([, image = '']) => image)
  assert.equal(named.length, 3)
  for (const image of named) assert.ok(pulled.includes(image), image)
})
