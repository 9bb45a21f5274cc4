import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { PROVIDERS } from '../../clusters/registry.ts'
import { addClusterSettings, type ClusterSettingOptions, clusterSettings } from './cluster-settings.ts'

function parse(...words: readonly string[]): ClusterSettingOptions {
  const command = addClusterSettings(
    new Command().exitOverride().configureOutput({ writeErr: () => undefined }),
  )
  return command.parse(words, { from: 'user' }).opts()
}

function provider(rung: string) {
  const found = PROVIDERS.find((candidate) => candidate.rung === rung)
  assert.ok(found)
  return found
}

test('what is asked of a cluster reaches its provider', () => {
  const options = parse('--from-packages', '--second-worker', 'data', '--second-worker', 'management')
  assert.deepEqual(clusterSettings(provider('kind'), options), {
    fromPackages: true,
    secondWorkers: ['data', 'management'],
  })
  assert.deepEqual(clusterSettings(provider('embedded'), parse()), {})
})

test('a setting that means nothing on a rung is refused, with those it has', () => {
  assert.throws(
    () => clusterSettings(provider('embedded'), parse('--recreate')),
    /embedded rung has no --recreate; it has no settings/,
  )
  assert.throws(
    () => clusterSettings(provider('kubeconfig'), parse('--node-image', 'x')),
    /kubeconfig rung has no --node-image; it has --context, --kubeconfig, --yes/,
  )
})

test('a role that no worker has is refused', () => {
  assert.throws(() => parse('--second-worker', 'game'), /There is no such role; there is data, management/)
})
