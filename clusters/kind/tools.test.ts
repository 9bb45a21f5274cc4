import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { findTools } from './tools.ts'

const KIND = 'kind v0.33.1 go1.26.1 linux/amd64'

const signal = new AbortController().signal
let folder: string
const { XDG_CACHE_HOME, PATH } = process.env

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kind-tools-'))
  // Nothing was ever built here, and nothing is on the path but what a test puts there.
  process.env.XDG_CACHE_HOME = join(folder, 'cache')
  process.env.PATH = folder
})
afterEach(async () => {
  if (XDG_CACHE_HOME === undefined) delete process.env.XDG_CACHE_HOME
  else process.env.XDG_CACHE_HOME = XDG_CACHE_HOME
  process.env.PATH = PATH
  await rm(folder, { recursive: true, force: true })
})

async function install(name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, name), 0o755)
}

test('all that is missing is named at once, with how to get it', async () => {
  await assert.rejects(findTools(), (error: Error) => {
    assert.equal(error.message.split('\n').length, 1)
    assert.match(
      error.message,
      /lacks docker: install .*; kind 0\.33: install it, or build it .*; kubectl 1.36:/,
    )
    return true
  })
  await install('docker', 'exit 0')
  await assert.rejects(findTools(), /lacks kind 0\.33:/)
})

test('docker and kind are told where the engine is, whatever else the environment says', async () => {
  await install('docker', 'echo "$DOCKER_HOST $1"')
  await install(
    'kind',
    `[ "$1" = version ] && echo ${KIND} || echo "$DOCKER_HOST $KIND_EXPERIMENTAL_PROVIDER $1"`,
  )
  await install('kubectl', `echo '{"clientVersion":{"gitVersion":"v1.36.1"}}'`)
  const tools = await findTools({ engine: { DOCKER_HOST: 'unix:///our.sock' } })
  assert.equal(await tools.docker(['ps'], { for: 'listing', signal }), 'unix:///our.sock ps')
  assert.equal(await tools.kind(['get'], { for: 'listing', signal }), 'unix:///our.sock docker get')
})

test('a kubectl of another version is none', async () => {
  await install('docker', 'exit 0')
  await install('kind', `echo ${KIND}`)
  await install('kubectl', `echo '{"clientVersion":{"gitVersion":"v1.32.0"}}'`)
  await assert.rejects(findTools(), /lacks kubectl 1.36:/)
})

test('a kind of another minor version is none', async () => {
  await install('docker', 'exit 0')
  await install('kind', 'echo kind v0.32.0 go1.26.1 linux/amd64')
  await assert.rejects(findTools(), /lacks kind 0\.33:/)
})
