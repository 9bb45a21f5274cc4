import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { lives, type ProcessIdentity } from '../../src/process/process-identity.ts'
import type { UpRequest } from '../provider.ts'
import { clusterDirectory } from '../this-machine/cluster-directory.ts'
import { type ClusterState, readState } from './cluster-state.ts'
import { embedded } from './provider.ts'

const LIMIT_MS = 60_000
const NAME = 'under-test'

let home: string
const inherited = process.env.XDG_STATE_HOME
before(() => {
  home = mkdtempSync(join(tmpdir(), 'poolwright-clusters-'))
  process.env.XDG_STATE_HOME = home
})
afterEach(() => embedded.down(NAME))
after(() => {
  if (inherited === undefined) delete process.env.XDG_STATE_HOME
  else process.env.XDG_STATE_HOME = inherited
  rmSync(home, { recursive: true })
})

const request = (change: Partial<UpRequest> = {}): UpRequest => ({
  name: NAME,
  signal: AbortSignal.timeout(LIMIT_MS),
  progress: () => undefined,
  lifetime: 'detached',
  ...change,
})

async function stateOf(name: string): Promise<ClusterState> {
  const state = await readState(clusterDirectory('embedded', name))
  if (!state) throw new Error(`${name} has no state`)
  return state
}

async function ends(identity: ProcessIdentity): Promise<void> {
  const deadline = Date.now() + LIMIT_MS
  while (await lives(identity)) {
    if (Date.now() > deadline) throw new Error(`process ${identity.pid} does not end`)
    await delay(20)
  }
}

describe('an embedded cluster', () => {
  it('is the same one for everybody who asks, is for this user alone, and leaves nothing', async () => {
    const [one, two] = await Promise.all([embedded.up(request()), embedded.up(request())])
    expect(two).to.deep.equal(one)
    expect(await embedded.status(NAME)).to.deep.equal(one)
    expect(one).to.include({ rung: 'embedded', name: NAME })
    expect(one.version).to.match(/^v1\.36\.\d+$/)
    const directory = clusterDirectory('embedded', NAME)
    expect(statSync(directory).mode & 0o777).to.equal(0o700)
    expect(statSync(one.kubeconfig).mode & 0o777).to.equal(0o600)
    const { supervisor, children } = await stateOf(NAME)
    expect(children.map(({ name }) => name)).to.deep.equal(['api-server', 'stand-ins'])

    await embedded.down(NAME)
    expect(existsSync(directory)).to.equal(false)
    for (const each of [supervisor, ...children]) expect(await lives(each)).to.equal(false)
    expect(await embedded.status(NAME)).to.equal(undefined)
    await embedded.down(NAME)
  })

  it('says that it is unhealthy, and why, when one of its processes ended', async () => {
    await embedded.up(request())
    const [apiServer] = (await stateOf(NAME)).children
    process.kill(apiServer?.pid ?? 0, 'SIGKILL')
    const deadline = Date.now() + LIMIT_MS
    while ((await stateOf(NAME)).failure === undefined && Date.now() < deadline) await delay(20)
    const problem = await embedded.status(NAME).then(
      () => undefined,
      (error: Error) => error.message,
    )
    expect(problem).to.match(/under-test is unhealthy.*cluster down.*api-server ended with signal SIGKILL/s)
  })

  it('takes its processes along when its supervisor is killed, and can be started anew', async () => {
    await embedded.up(request())
    const { supervisor, children } = await stateOf(NAME)
    process.kill(supervisor.pid, 'SIGKILL')
    for (const child of children) await ends(child)
    expect(await embedded.status(NAME)).to.equal(undefined)
    await embedded.up(request())
    expect((await stateOf(NAME)).supervisor).not.to.deep.equal(supervisor)
  })

  it('of a command ends with it, however that ends', async () => {
    const provider = new URL('./provider.ts', import.meta.url).href
    const program = `
      const { embedded } = await import(${JSON.stringify(provider)})
      await embedded.up({ name: ${JSON.stringify(NAME)}, signal: AbortSignal.timeout(${LIMIT_MS}),
        progress: () => {}, lifetime: 'command' })
      process.stdout.write('up')
      setInterval(() => {}, 1000)`
    const command = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(command.stdout, 'data')
    const { supervisor, children } = await stateOf(NAME)
    command.kill('SIGKILL')
    for (const each of [supervisor, ...children]) await ends(each)
    expect(existsSync(clusterDirectory('embedded', NAME))).to.equal(false)
  })

  it('that is given up while it starts leaves nothing', async () => {
    const stop = new AbortController()
    const problem = await embedded
      .up(request({ signal: stop.signal, progress: () => stop.abort(new Error('enough')) }))
      .then(() => undefined, String)
    expect(problem).to.equal('Error: enough')
    await embedded.down(NAME)
    expect(existsSync(clusterDirectory('embedded', NAME))).to.equal(false)
  })
})
