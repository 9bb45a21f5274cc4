import assert from 'node:assert/strict'
import type { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { removeCluster } from './remove-cluster.ts'
import { siteOf } from './site.ts'
import type { Tool } from './tools.ts'

const { signal } = new AbortController()
const SITE = siteOf('gone', { XDG_STATE_HOME: '/nowhere' })
const NODE = {
  Id: 'ab'.repeat(32),
  Name: `/${SITE.cluster}-worker`,
  Image: 'sha256:0123',
  State: { Running: true },
  NetworkSettings: { Networks: {} },
}

let said: string[] = []
let nodes: (typeof NODE)[] = []
let network = true
/** An engine that has one cluster. */
const docker: Tool = async (words) => {
  const command = words.join(' ')
  if (command.startsWith('ps --all')) return nodes.map(({ Id }) => Id).join('\n')
  if (command.startsWith('container inspect')) return JSON.stringify(nodes)
  if (command.startsWith('network ls')) return network ? 'id' : ''
  said.push(command)
  return ''
}

/** Whose files they are decides who may remove them. */
function removal(rootsFiles: boolean): { remove: typeof rm; removed: string[] } {
  const removed: string[] = []
  const remove = async (path: unknown): Promise<void> => {
    if (rootsFiles && !said.some((command) => command.startsWith('run ')))
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
    removed.push(String(path))
  }
  return { remove, removed }
}

test('nodes, vantage, network and folder go, found by their names in the engine', async () => {
  said = []
  nodes = [NODE]
  const { remove, removed } = removal(false)
  await removeCluster(SITE, { docker }, signal, remove)
  assert.deepEqual(said, [
    `rm --force --volumes ${SITE.cluster}-outside`,
    `rm --force --volumes ${NODE.Id}`,
    `network rm ${SITE.network}`,
  ])
  assert.deepEqual(removed, [SITE.directory])
})

test('a folder with files of root’s is emptied by a container of the nodes’ image', async () => {
  said = []
  nodes = [NODE]
  const { remove, removed } = removal(true)
  await removeCluster(SITE, { docker }, signal, remove)
  assert.match(
    said.at(-1) ?? '',
    /^run --rm --network none .*\/shared",target=\/shared .*sha256:0123 \/shared/,
  )
  assert.deepEqual(removed, [SITE.directory])
})

test('where nothing runs any more, all that is left still goes; without an image it is for root', async () => {
  said = []
  nodes = []
  network = false
  await removeCluster(SITE, { docker }, signal, removal(false).remove)
  assert.deepEqual(said, [`rm --force --volumes ${SITE.cluster}-outside`])
  const { remove, removed } = removal(false)
  await removeCluster(SITE, undefined, signal, remove)
  assert.deepEqual(removed, [SITE.directory])
  await assert.rejects(removeCluster(SITE, { docker }, signal, removal(true).remove), /remove it as root/)
})
