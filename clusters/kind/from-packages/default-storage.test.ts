import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import type { KubernetesObject } from '../../../src/contract/kubernetes.ts'

interface Manifest extends KubernetesObject {
  spec?: { template?: { spec?: { serviceAccountName?: string; containers?: { command?: string[] }[] } } }
}

async function manifests(): Promise<Manifest[]> {
  const text = await readFile(new URL('node-image/default-storage.yaml', import.meta.url), 'utf8')
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}

test('the accounts that the provisioner and its helper pods run as are there', async () => {
  const all = await manifests()
  const there = all.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata?.name)
  const provisioner = all.find(({ kind }) => kind === 'Deployment')?.spec?.template?.spec
  assert.ok(there.includes(provisioner?.serviceAccountName), `${provisioner?.serviceAccountName}`)
  // Left out, the provisioner runs its helpers as an account with a name of its own choice.
  const command = provisioner?.containers?.[0]?.command ?? []
  const at = command.indexOf('--service-account-name')
  assert.notEqual(at, -1, 'the provisioner is not told the account of its helper pods')
  assert.ok(there.includes(command[at + 1]), `${command[at + 1]}`)
})
