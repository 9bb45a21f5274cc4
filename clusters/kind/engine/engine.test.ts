import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { execa } from 'execa'
import { identify, lives } from '../../../src/process/process-identity.ts'
import { engineFolders } from './engine-folders.ts'
import { engineProcesses } from './engine-processes.ts'
import { findEngine, judge, noEngineError } from './find-engine.ts'
import { fenceNetworks, liftFence } from './network-fence.ts'
import { pruneEngine } from './prune-engine.ts'
import { type StartEngineRequest, startEngine } from './start-engine.ts'
import { removeEngine, stopEngine } from './stop-engine.ts'

const SCRIPT = fileURLToPath(new URL('../scripts/engine.ts', import.meta.url))
const NOT_ROOT = process.getuid?.() !== 0 && 'only root may start an engine'
const NOT_LINUX = process.platform !== 'linux' && 'an engine of our own needs Linux'
const LIMIT_MS = 60_000

let folder: string
let signal: AbortSignal
const at = (...names: string[]): string => join(folder, ...names)
const folders = () => engineFolders(at('cache', 'poolwright'))

const { PATH, XDG_CACHE_HOME, DOCKER_HOST } = process.env
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'poolwright-engine-'))
  await mkdir(at('bin'))
  signal = AbortSignal.timeout(LIMIT_MS)
  setEnvironment({
    PATH: at('bin'),
    XDG_CACHE_HOME: at('cache'),
    DOCKER_HOST: undefined,
    CONTEXT: undefined,
  })
})
afterEach(async () => {
  await stopEngine({ signal: AbortSignal.timeout(LIMIT_MS) })
  setEnvironment({ PATH, XDG_CACHE_HOME, DOCKER_HOST, CONTEXT: undefined })
  await rm(folder, { recursive: true, force: true })
})

describe('without a container engine', () => {
  it('a missing docker is one line with the remedy', async () => {
    expect(await whyNot(findEngine(signal))).to.match(
      /^UsageError: there is no docker on the path; install Docker .*$/,
    )
  })

  it('an engine that does not answer is one line with its endpoint, why, and the remedy', async () => {
    await placeDocker()
    expect(await whyNot(findEngine(signal))).to.match(
      /^UsageError: no container engine answers at unix:\S+default\.sock \(Cannot connect.*\); start it, or .*$/,
    )
  })

  it('none is started in place of one that DOCKER_HOST names', async () => {
    await placeAll()
    setEnvironment({ DOCKER_HOST: 'unix:///nowhere/docker.sock' })
    expect(await whyNot(start())).to.match(
      /^UsageError: .*unix:\/\/\/nowhere\/docker\.sock .*DOCKER_HOST names it: start it, or choose another$/,
    )
    expect(await starts()).to.equal(0)
  })

  it('nor in place of one that a context of docker’s names', async () => {
    await placeAll()
    setEnvironment({ CONTEXT: 'lab' })
    expect(await whyNot(start())).to.match(
      /^UsageError: .*docker’s context lab names it: start it, or choose another$/,
    )
    expect(await starts()).to.equal(0)
  })

  it('what one lacks is told by how a connection fails', () => {
    const missing = (refusal: string | undefined, timedOut = false) => judge({ timedOut, refusal })
    expect(missing('EACCES')).to.equal('permission')
    expect([missing('ENOENT'), missing('ECONNREFUSED', true)]).to.deep.equal(['answer', 'answer'])
    expect([missing('', true), missing(''), missing(undefined, true)]).to.deep.equal(['time', 'time', 'time'])
    expect(missing(undefined)).to.equal('answer')
  })

  it('one that is not for this user is no reason to start another, but to join a group', () => {
    const { message } = noEngineError({ missing: 'permission', reason: 'no container engine answers' })
    expect(message).to.match(/^no container engine answers; join the group .*usermod -aG docker/)
  })

  it('there is nothing to stop and nothing to remove', async () => {
    expect([await stopEngine({ signal }), await removeEngine({ signal })]).to.deep.equal([false, false])
  })
})

describe('the script', () => {
  it('ends with 2 and one line where no engine answers', async () => {
    await placeDocker()
    const { exitCode, stderr } = await script('status')
    expect(exitCode).to.equal(2)
    expect(stderr).to.match(/^no container engine answers at .*$/)
  })

  it('refuses a word that is no command, with those that are', async () => {
    const { exitCode, stderr } = await script('begin')
    expect(exitCode).to.equal(2)
    expect(stderr).to.equal('expected one of start, stop, status, prune, remove, found "begin"')
  })
})

describe('an engine of our own', { skip: NOT_LINUX || NOT_ROOT }, () => {
  beforeEach(placeAll)

  it('is started, and found from then on', async () => {
    const endpoint = `unix://${folders().socket}`
    const engine = await start()
    expect(engine).to.deep.equal({
      endpoint,
      environment: { DOCKER_HOST: endpoint },
      serverVersion: '20.10.24',
      cgroupVersion: 1,
      dataRoot: folders().dataRoot,
      ours: true,
    })
    expect(await findEngine(signal)).to.deep.equal(engine)
  })

  it('is used again when it answers', async () => {
    await start()
    await start()
    expect(await starts()).to.equal(1)
  })

  it('is started once when two processes ask at the same time; each prints how to reach it', async () => {
    const [one, other] = await Promise.all([script('start'), script('start')])
    expect([one.exitCode, other.exitCode]).to.deep.equal([0, 0])
    for (const { stdout } of [one, other]) {
      expect(stdout).to.equal(`export DOCKER_HOST='unix://${folders().socket}'`)
    }
    expect(await starts()).to.equal(1)
  })

  it('lives in a session of its own, so that it outlives its terminal', async () => {
    await start()
    const pid = await dockerdPid()
    const [, , , session] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
    expect(Number(session)).to.equal(pid)
  })

  it('is not started when the machine has one that answers, nor is that fenced in', async () => {
    using _ = await serveDefault()
    const engine = await start()
    expect([engine.ours, engine.environment]).to.deep.equal([false, {}])
    expect(await exists(folders().run)).to.equal(false)
    expect(await rules()).to.deep.equal([])
  })

  it('is not started beside one that runs and says nothing, nor in its own place', async () => {
    await placeDocker('[ "$1" = info ] && exec /bin/sleep 60')
    const limits = { answerLimitMs: 100, busyLimitMs: 200 }
    using _ = await serveDefault()
    expect(await whyNot(start(limits))).to.match(
      /^UsageError: .*said nothing for 0.1 s\); it runs and is busy/,
    )
    const [other] = await startedPids()
    expect(await starts()).to.equal(1)

    await placeDocker()
    process.kill(other ?? 0)
    await rm(at('default.sock'), { force: true })
    await start()
    const ours = await dockerd()
    await placeDocker('[ "$1" = info ] && exec /bin/sleep 60')
    expect(await whyNot(start(limits))).to.match(/^UsageError: .*it runs and is busy/)
    expect(await lives(ours)).to.equal(true)
    expect(await starts()).to.equal(2)
  })

  it('is waited for while it is busy', async () => {
    await start()
    await placeDocker(`[ "$1" = info ] && [ ! -e '${at('free')}' ] && exec /bin/sleep 60`)
    const lines: string[] = []
    const engine = await start({
      answerLimitMs: 1_000,
      progress: (line) => {
        lines.push(line)
        writeFileSync(at('free'), '')
      },
    })
    expect(engine.ours).to.equal(true)
    expect(lines.join()).to.match(/said nothing for 1 s\); one runs there, so waiting for it/)
  })

  it('that runs is stopped although its folders are gone from under it', async () => {
    await start()
    const running = await dockerd()
    await rm(at('cache'), { recursive: true })
    expect(await stopEngine({ signal })).to.equal(true)
    expect(await lives(running)).to.equal(false)
  })

  it('is not what has the same words in another root', async () => {
    await mkdir(at('root'))
    const script = `set -e; mount -t tmpfs none '${at('root')}'; cd '${at('root')}'
for name in usr bin sbin lib lib64; do [ -e /$name ] || continue; mkdir $name; mount --bind /$name $name; done
exec chroot . /bin/bash -c 'exec -a dockerd /bin/sh -c "echo; read line" ${folders().configFile}'`
    const other = spawn('sh', ['-c', 'exec unshare --mount sh -c "$1"', 'sh', script], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH },
    })
    await once(other.stdout, 'data')
    const words = await readFile(`/proc/${other.pid}/cmdline`, 'utf8')
    const found = await engineProcesses(folders(), 'dockerd')
    const ended = once(other, 'exit')
    other.stdin.end('\n')
    await ended
    expect(words).to.match(/^dockerd\0/)
    expect(words).to.contain(folders().configFile)
    expect(found).to.deep.equal([])
  })

  it('knows its containers’ shims by its own namespace where containerd is the machine’s', async () => {
    await placeNode('containerd-shim-runc-v2', 'setInterval(() => {}, 1000); console.log()')
    const words = ['-namespace', `poolwright-${folders().id}`, '-address', '/run/containerd/containerd.sock']
    const shim = spawn(at('bin', 'containerd-shim-runc-v2'), words, { stdio: ['ignore', 'pipe', 'ignore'] })
    await once(shim.stdout, 'data')
    const found = await engineProcesses(folders(), 'shim')
    const others = await engineProcesses(engineFolders(at('elsewhere')), 'shim')
    shim.kill()
    expect([found.map(({ pid }) => pid), others]).to.deep.equal([[shim.pid], []])
  })

  it('stays the one in use when another appears', async () => {
    await start()
    using _ = await serveDefault()
    expect((await findEngine(signal)).ours).to.equal(true)
  })

  it('is started again when it was killed', async () => {
    await start()
    const killed = await dockerd()
    process.kill(killed.pid, 'SIGKILL')
    while (await lives(killed)) await delay(10)
    await start()
    expect(await starts()).to.equal(2)
  })

  it('that ends says so with the last lines of its log, and leaves nothing', async () => {
    await placeDockerd(`console.error('failed to start daemon: no such luck'); process.exit(1)`)
    const why = await whyNot(start())
    expect(why).to.include('dockerd ended with code 1; the last lines of')
    expect(why).to.include('no such luck')
    expect(await exists(folders().run)).to.equal(false)
    expect(await rules()).to.deep.equal([])
  })

  it('ends with the start that was interrupted, although it would have answered', async () => {
    await placeDockerd(`
      createServer((_, response) => {
        appendFileSync('${at('asked')}', '')
        setInterval(() => existsSync('${at('answer')}') && response.end(), 10)
      }).listen(config.hosts[0].slice('unix://'.length))`)
    const interruption = new AbortController()
    const ended = whyNot(start({ signal: interruption.signal }))
    while (!(await exists(at('asked')))) await delay(10)
    const started = await dockerd()
    interruption.abort(new Error('interrupted'))
    await writeFile(at('answer'), '')
    expect(await ended).to.equal('Error: interrupted')
    expect(await lives(started)).to.equal(false)
    expect(await exists(folders().run)).to.equal(false)
  })

  it('ends with stop, and keeps what it has on disk', async () => {
    await start()
    const running = await dockerd()
    expect(await stopEngine({ signal })).to.equal(true)
    expect(await lives(running)).to.equal(false)
    expect(await exists(folders().run)).to.equal(false)
    expect(await exists(folders().dataRoot)).to.equal(true)
  })

  it('is not ended by a stop that is for another', async () => {
    await start()
    await mkdir(at('elsewhere', 'engine', 'data'), { recursive: true })
    expect(await stopEngine({ cacheFolder: at('elsewhere'), signal })).to.equal(false)
    expect(await lives(await dockerd())).to.equal(true)
  })

  it('is removed with all that it has on disk', async () => {
    await start()
    expect(await removeEngine({ signal })).to.equal(true)
    expect(await exists(dirname(folders().dataRoot))).to.equal(false)
  })

  it('lets no packet of its networks leave the machine, by interface; the rules go when it stops', async () => {
    await start()
    await start()
    const chain = `POOLWRIGHT-${folders().id}`
    for (const [family, parent] of [
      ['iptables', 'DOCKER-USER'],
      ['ip6tables', 'FORWARD'],
    ] as const) {
      if (!(await exists(at(family)))) continue
      expect(await rules(family)).to.have.members([
        `${parent} -j ${chain}`,
        `${chain} -i docker0 ! -o docker0 -j REJECT`,
        `${chain} -i br-+ ! -o br-+ -j REJECT`,
      ])
    }
    await stopEngine({ signal })
    expect(await rules()).to.deep.equal([])
  })

  it('gives up images without a name when it is pruned', async () => {
    await pruneEngine(await start(), signal)
    expect(await asked()).to.equal('image prune --force\nbuilder prune --force\n')
  })

  it('is installed where dockerd is missing, by whoever was handed in', async () => {
    await rm(at('bin', 'dockerd'))
    const wanted: string[] = []
    await start({
      systemPackages: async (names) => {
        wanted.push(...names)
        await placeDockerd()
      },
    })
    expect(wanted).to.deep.equal(['dockerd'])
    expect(await starts()).to.equal(1)
  })

  it('that could not be installed is one line that says what is missing', async () => {
    await rm(at('bin', 'dockerd'))
    expect(await whyNot(start())).to.match(
      /^UsageError: No container engine answers.* without dockerd: install Docker.*$/,
    )
  })
})

it("on an engine that is not ours only our own images go when it's pruned", async () => {
  await placeDocker()
  using _ = await serveDefault()
  await pruneEngine(await findEngine(signal), signal)
  expect(await asked()).to.equal('image prune --force --filter label=poolwright.dev/inputs\n')
})

describe('the fence', () => {
  beforeEach(placeIptables)
  const chain = () => `POOLWRIGHT-${folders().id}`

  it('is put up once, in a chain of its own, and taken down with nothing of others', async () => {
    await writeFile(at('iptables'), 'FORWARD -j THEIRS\nDOCKER-USER -i docker0 ! -o docker0 -j REJECT\n')
    const theirs = await rules()
    await fenceNetworks(folders(), signal)
    await fenceNetworks(folders(), signal)
    expect(await rules('iptables')).to.have.members([
      ...theirs,
      `DOCKER-USER -j ${chain()}`,
      `${chain()} -i docker0 ! -o docker0 -j REJECT`,
      `${chain()} -i br-+ ! -o br-+ -j REJECT`,
    ])
    await liftFence(folders())
    expect(await rules()).to.deep.equal(theirs)
    expect(await readFile(at('iptables.chains'), 'utf8')).to.equal('DOCKER-USER\n')
  })

  it('of another engine stays', async () => {
    const other = engineFolders(at('elsewhere'))
    await fenceNetworks(other, signal)
    const theirs = await rules()
    await fenceNetworks(folders(), signal)
    await liftFence(folders())
    expect(await rules()).to.deep.equal(theirs)
  })

  it('that can not be put up says what failed and why', async () => {
    await place('iptables', 'echo "Permission denied (you must be root)" >&2; exit 4')
    expect(await whyNot(fenceNetworks(folders(), signal))).to.match(
      /^ToolError: fencing in the networks: iptables -A .*\n.*you must be root/,
    )
  })
})

function start(change: Partial<StartEngineRequest> = {}) {
  return startEngine({ signal, progress: () => undefined, systemPackages: async () => undefined, ...change })
}

/** As a person runs it. */
function script(command: string) {
  return execa(process.execPath, [SCRIPT, command, '--no-system-packages'], {
    reject: false,
    timeout: LIMIT_MS,
  })
}

async function whyNot(work: Promise<unknown>): Promise<string> {
  return work.then(
    (found) => `no error: ${JSON.stringify(found)}`,
    (error: unknown) => String(error),
  )
}

function setEnvironment(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

async function placeAll(): Promise<void> {
  await Promise.all([placeDocker(), placeDockerd(), placeIptables()])
}

/** A docker that asks the engine it is told, and notes what else it is asked. */
async function placeDocker(first = ''): Promise<void> {
  await placeNode(
    'ask-engine',
    `const ping = request({ socketPath: process.argv[2], path: '/info' }, async (response) => {
      for await (const chunk of response) process.stdout.write(chunk)
    })
    ping.on('error', () => (process.exitCode = 1)).end()`,
  )
  await place(
    'docker',
    `${first}
host=\${DOCKER_HOST:-unix://${at('default.sock')}}
case $1 in
  context) echo "\${CONTEXT:-default} $host"; exit ;;
  info) [ -S "\${host#unix://}" ] && '${at('bin', 'ask-engine')}' "\${host#unix://}" && exit ;;
  *) echo "$*" >> '${at('asked')}'; exit ;;
esac
echo '{"ServerVersion":""}'
echo "Cannot connect to the Docker daemon at $host" >&2
exit 1`,
  )
}

/** A dockerd that notes its start and serves where its configuration says. */
function placeDockerd(behaviour: string = SERVES): Promise<void> {
  return placeNode(
    'dockerd',
    `appendFileSync('${at('started')}', process.pid + '\\n')
    const config = JSON.parse(readFileSync(process.argv.at(-1), 'utf8'))
    ${behaviour}`,
  )
}

const SERVES = `
    const said = { ServerVersion: '20.10.24', CgroupVersion: '1', DockerRootDir: config['data-root'] }
    const server = createServer((_, response) => response.end(JSON.stringify(said)))
    const socket = config.hosts[0].slice('unix://'.length)
    rmSync(socket, { force: true })
    server.listen(socket)
    process.on('SIGTERM', () => process.exit())`

/** Keeps the rules of each family in a file, and in another the chains that were made. */
async function placeIptables(): Promise<void> {
  for (const family of ['iptables', 'ip6tables']) {
    await place(
      family,
      `PATH=/usr/bin:/bin; rules='${at(family)}'; : >> "$rules"; : >> "$rules.chains"; shift; word=$1; shift; rule="$*"; chain=$1
[ "$word" = -n ] && chain=$2
has() { grep -qxF -e "$1" "$2"; }
without() { grep -vxF -e "$1" "$2" > "$2.next"; mv "$2.next" "$2"; }
known() { case $chain in FORWARD) ;; *) has "$chain" "$rules.chains" ;; esac; }
case $word in
  -N) ! known && echo "$chain" >> "$rules.chains" ;;
  -n) known ;;
  -C) has "$rule" "$rules" ;;
  -A) known && echo "$rule" >> "$rules" ;;
  -I) known && { echo "$rule"; cat "$rules"; } > "$rules.next" && mv "$rules.next" "$rules" ;;
  -D) without "$rule" "$rules" ;;
  -F) known && sed -i "/^$chain /d" "$rules" ;;
  -X) ! grep -q -- "-j $chain$" "$rules" && without "$chain" "$rules.chains" ;;
esac`,
    )
  }
}

/** With its own name, and not Node's, as the process's. */
async function placeNode(name: string, body: string): Promise<void> {
  const program = at(`${name}.mjs`)
  await writeFile(
    program,
    `import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
    import { createServer, request } from 'node:http'
    ${body}`,
  )
  await writeFile(at('bin', name), `#!/bin/bash\nexec -a ${name} '${process.execPath}' '${program}' "$@"\n`)
  await chmod(at('bin', name), 0o755)
}

async function place(name: string, script: string): Promise<void> {
  await writeFile(at('bin', name), `#!/bin/sh\n${script}\n`)
  await chmod(at('bin', name), 0o755)
}

/** Another engine, where docker looks by default; resolves when it serves. */
async function serveDefault(): Promise<Disposable> {
  const config = { hosts: [`unix://${at('default.sock')}`], 'data-root': '/other' }
  await placeDockerd()
  await writeFile(at('other.json'), JSON.stringify(config))
  const other = spawn(at('bin', 'dockerd'), [at('other.json')], { stdio: 'ignore' })
  while (!(await exists(at('default.sock')))) await delay(10)
  return { [Symbol.dispose]: () => void other.kill() }
}

async function dockerdPid(): Promise<number> {
  return (await startedPids()).at(-1) ?? 0
}

async function startedPids(): Promise<number[]> {
  return (await readFile(at('started'), 'utf8')).trim().split('\n').map(Number)
}

async function dockerd() {
  const identity = await identify(await dockerdPid())
  if (!identity) throw new Error('dockerd does not run')
  return identity
}

async function starts(): Promise<number> {
  return (await readFile(at('started'), 'utf8').catch(() => '')).split('\n').filter(Boolean).length
}

async function rules(...families: string[]): Promise<string[]> {
  const files = families.length > 0 ? families : ['iptables', 'ip6tables']
  const texts = await Promise.all(files.map((family) => readFile(at(family), 'utf8').catch(() => '')))
  return texts.join('').split('\n').filter(Boolean)
}

function asked(): Promise<string> {
  return readFile(at('asked'), 'utf8')
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
