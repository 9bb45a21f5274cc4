#!/usr/bin/env node
/**
 * The container engine of our own, by hand or in CI: `node clusters/kind/scripts/engine.ts start|stop|status|prune|remove`.
 * Standard output is for a shell: eval "$(node clusters/kind/scripts/engine.ts start)".
 */
import { $, argv } from 'zx'
import { ensureSystemPackages } from '../../../bin/system-packages.ts'
import { UsageError } from '../../../src/contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import { engineFolders } from '../engine/engine-folders.ts'
import { findEngine } from '../engine/find-engine.ts'
import { pruneEngine } from '../engine/prune-engine.ts'
import { type EngineProgramName, startEngine } from '../engine/start-engine.ts'
import { removeEngine, stopEngine } from '../engine/stop-engine.ts'

const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort(name))
const { signal } = stop
const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** Of a full data root on a slow disk. */
const DISK_LIMIT = '2m'

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = {
  async start() {
    const allowed = argv['system-packages'] !== false
    const systemPackages = (programs: readonly EngineProgramName[]) =>
      ensureSystemPackages(programs, { allowed, signal, say })
    const engine = await startEngine({ signal, progress: say, systemPackages })
    describe(engine)
    for (const [name, value] of Object.entries(engine.environment)) {
      process.stdout.write(`export ${name}='${value.replaceAll("'", `'\\''`)}'\n`)
    }
  },
  async stop() {
    say((await stopEngine({ signal })) ? 'stopped; its images are kept' : 'no engine of our own is running')
  },
  async status() {
    const engine = await findEngine(signal)
    describe(engine)
    process.stdout.write(`${JSON.stringify(engine)}\n`)
    if (!engine.ours) return
    const { stdout } = await $({ signal, timeout: DISK_LIMIT })`du -shx ${engineFolders().dataRoot}`
    say(`disk        ${stdout.split('\t')[0]}`)
  },
  async prune() {
    for (const freed of await pruneEngine(await findEngine(signal), signal)) say(freed)
  },
  async remove() {
    say((await removeEngine({ signal })) ? 'stopped; its images are gone' : 'there is no engine of our own')
  },
}

function describe(engine: Engine): void {
  say(`engine      ${engine.ours ? 'our own' : "the machine's"}, ${engine.endpoint}`)
  say(`version     ${engine.serverVersion}, cgroup v${engine.cgroupVersion}`)
  say(`data root   ${engine.dataRoot}`)
}

try {
  const [word = '', ...rest] = argv._
  const command = Object.hasOwn(COMMANDS, word) && rest.length === 0 ? COMMANDS[word] : undefined
  if (!command)
    throw new UsageError(`expected one of ${Object.keys(COMMANDS).join(', ')}, found "${argv._.join(' ')}"`)
  await command()
} catch (error) {
  process.exitCode = signal.aborted ? 130 : error instanceof UsageError ? 2 : 1
  say(signal.aborted ? 'interrupted' : error instanceof Error ? error.message : String(error))
}
