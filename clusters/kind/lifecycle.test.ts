import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { UsageError } from '../../src/contract/errors.ts'
import { identify } from '../../src/process/process-identity.ts'
import { thisMachine } from '../../src/process/process-table.ts'
import { whileLocked } from '../this-machine/name-lock.mjs'
import { down, status, up } from './lifecycle.ts'
import { type Site, siteOf } from './site.ts'

const ID = 'ab'.repeat(32)
const CONTAINER = {
  Id: ID,
  Name: '/worker',
  Image: 'sha256:1',
  State: { Running: true },
  NetworkSettings: { Networks: {} },
}
const ENGINE = `case "$*" in
  info*) echo '{"ServerVersion":"1","CgroupVersion":"1","DockerRootDir":"/nowhere"}' ;;
  context*) echo 'default unix:///nowhere.sock' ;;
  'ps --all'*) [ ! -e "$FOLDER/nodes" ] || echo ${ID} ;;
  'container inspect'*) echo '[${JSON.stringify(CONTAINER)}]' ;;
  *) echo "$*" >> "$FOLDER/said" ;;
esac`

let folder: string
let site: Site
const { PATH, XDG_CACHE_HOME, XDG_STATE_HOME, DOCKER_HOST } = process.env

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kind-life-'))
  // Neither kind nor kubectl is here.
  setEnvironment({
    PATH: folder,
    FOLDER: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_STATE_HOME: join(folder, 'state'),
    DOCKER_HOST: undefined,
  })
  site = siteOf('pool')
})
afterEach(async () => {
  setEnvironment({ PATH, XDG_CACHE_HOME, XDG_STATE_HOME, DOCKER_HOST, FOLDER: undefined })
  await rm(folder, { recursive: true, force: true })
})

test('without an engine nothing is up, and nothing of it is left', async () => {
  await down('pool')
  await placeCluster()
  assert.equal(await status('pool'), undefined)
  await down('pool')
  await assert.rejects(stat(site.directory), /ENOENT/)
})

test('a cluster whose nodes somebody deleted, or whose API is gone, is not up', async () => {
  await placeDocker(ENGINE)
  await placeCluster()
  assert.equal(await status('pool'), undefined)
  await writeFile(join(folder, 'nodes'), '')
  assert.equal(await status('pool'), undefined)
})

test('it is taken down by its label in the engine: without kind, and whatever the folder still has', async () => {
  await placeDocker(ENGINE)
  await placeCluster()
  await writeFile(join(folder, 'nodes'), '')
  await down('pool')
  const said = (await readFile(join(folder, 'said'), 'utf8')).split('\n')
  assert.ok(said.includes(`rm --force --volumes ${ID}`))
  await assert.rejects(stat(site.directory), /ENOENT/)
})

test('a cluster that a run uses is neither taken down nor made anew', async (t) => {
  await placeDocker(ENGINE)
  await placeCluster()
  const run = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  t.after(() => run.kill())
  await once(run, 'spawn')
  const mark = join(site.directory, 'runs', '20260331-a')
  await mkdir(mark, { recursive: true })
  const who = { runId: '20260331-a', boot: thisMachine.boot, ...(await identify(run.pid ?? 0)) }
  await writeFile(join(mark, 'run.json'), JSON.stringify(who))
  const refused = (error: unknown): boolean =>
    error instanceof UsageError && /pool is in use by run 20260331-a/.test(error.message)
  await assert.rejects(down('pool'), refused)
  await assert.rejects(bringUp(), refused)
  await stat(site.directory)
  const ended = once(run, 'exit')
  run.kill()
  await ended
  await down('pool')
})

test('what is missing is told before anything is pulled, and before the cluster’s folder is touched', async () => {
  await placeDocker(ENGINE)
  await assert.rejects(bringUp(), /lacks kind 0\.33: .*kubectl 1\.36:/)
  const said = await readFile(join(folder, 'said'), 'utf8').catch(() => '')
  assert.doesNotMatch(said, /pull/)
  await rm(join(folder, 'state'), { recursive: true })
  await writeFile(join(folder, 'state'), '')
  await assert.rejects(bringUp(), (error: unknown) => {
    assert.ok(error instanceof UsageError)
    assert.match(error.message, /no cluster can have the folder .*state is no folder; XDG_STATE_HOME/)
    return true
  })
})

test('whoever waits for another process is told, and may give up', async () => {
  await placeDocker(ENGINE)
  const stop = new AbortController()
  const request = { signal: stop.signal, progress: () => stop.abort(new Error('enough')) }
  await whileLocked(site.directory, new AbortController().signal, () =>
    assert.rejects(down('pool', request), /enough/),
  )
})

function bringUp() {
  return up({
    name: 'pool',
    signal: new AbortController().signal,
    progress: () => undefined,
    lifetime: 'detached',
    settings: { recreate: true },
  })
}

/** What one that was made leaves on this machine; nobody listens where its API was. */
async function placeCluster(): Promise<void> {
  await mkdir(site.sharedFolder, { recursive: true })
  const content = {
    'current-context': 'pool',
    contexts: [{ name: 'pool', context: { cluster: 'pool', user: 'me' } }],
    clusters: [{ name: 'pool', cluster: { server: 'http://127.0.0.1:1' } }],
    users: [{ name: 'me', user: {} }],
  }
  await writeFile(site.kubeconfig, JSON.stringify(content))
}

async function placeDocker(script: string): Promise<void> {
  await writeFile(join(folder, 'docker'), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, 'docker'), 0o755)
}

function setEnvironment(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}
