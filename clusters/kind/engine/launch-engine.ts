import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../../src/contract/errors.ts'
import { findProgram } from '../../this-machine/find-program.ts'
import { lacksSysResource } from './capabilities.ts'
import { daemonConfig } from './daemon-config.ts'
import { endEngine } from './end-engine.ts'
import type { EngineFolders } from './engine-folders.ts'
import { fenceNetworks, liftFence } from './network-fence.ts'

const RUNTIME_WRAPPER = fileURLToPath(new URL('./runtime-without-sys-resource.sh', import.meta.url))

/** Where a distribution puts the programs that an engine consists of and uses. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'] as const

/** It starts in a second or two; after a crash it first goes through what it had. */
const START_LIMIT_MS = 90_000
/** For an engine that hangs to end by itself. */
const HANGING_LIMIT_MS = 5_000
const LOOK_AGAIN_MS = 100
const PING_LIMIT_MS = 5_000
const LOG_LINES = 15

/**
 * Starts our own engine and waits until it answers. Call it with the engine's lock and when it doesn't answer: what is
 * left of it is ended first. dockerd would take over containers that outlived it only to stop them, which takes longer,
 * and then doesn't start again those that are to be; and it believes a file with a process number when any process
 * has that, as after a restart of the machine.
 */
export async function launchEngine(
  folders: EngineFolders,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<void> {
  progress(`starting a container engine of our own; its images are kept in ${folders.dataRoot}`)
  await endEngine(folders, HANGING_LIMIT_MS)
  await prepare(folders)
  try {
    await fenceNetworks(folders, signal)
    await untilItAnswers(await spawnDetached(folders), folders, signal)
  } catch (error) {
    await endEngine(folders)
    await liftFence(folders)
    throw error
  }
}

async function prepare(folders: EngineFolders): Promise<void> {
  for (const folder of [folders.dataRoot, folders.run]) await mkdir(folder, { recursive: true, mode: 0o711 })
  const withoutSysResource = await lacksSysResource()
  if (withoutSysResource) {
    // A copy: the engine outlives this tree.
    await copyFile(RUNTIME_WRAPPER, folders.runtimeWrapper)
    await chmod(folders.runtimeWrapper, 0o755)
  }
  const config = daemonConfig(folders, { withoutSysResource })
  await writeFile(folders.configFile, `${JSON.stringify(config, undefined, 2)}\n`)
  await rename(folders.log, `${folders.log}.previous`).catch(() => undefined)
}

/** In a session of its own: it must outlive this process and its terminal. */
async function spawnDetached(folders: EngineFolders): Promise<ChildProcess> {
  const program = findProgram('dockerd')
  if (!program) throw new UsageError('There is no dockerd on this machine')
  const log = openSync(folders.log, 'w', 0o640)
  // dockerd takes containerd, its shim and runc from the path, where there may be others that were built for nodes.
  const path = [...new Set([dirname(program), ...SYSTEM_FOLDERS])].join(':')
  const { DOCKER_HOST: _, ...environment } = process.env
  const dockerd = spawn(program, ['--config-file', folders.configFile], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...environment, PATH: path },
  })
  closeSync(log)
  await once(dockerd, 'spawn')
  dockerd.unref()
  return dockerd
}

async function untilItAnswers(
  dockerd: ChildProcess,
  folders: EngineFolders,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS
  while (!(await answers(folders.socket, signal))) {
    signal.throwIfAborted()
    if (dockerd.exitCode !== null || dockerd.signalCode !== null) {
      throw new Error(`dockerd ended with ${how(dockerd)}${await lastLines(folders)}`)
    }
    if (performance.now() > deadline) {
      throw new Error(`dockerd did not answer within ${START_LIMIT_MS / 1000} s${await lastLines(folders)}`)
    }
    await delay(LOOK_AGAIN_MS)
  }
}

function how({ exitCode, signalCode }: ChildProcess): string {
  return signalCode ? `signal ${signalCode}` : `code ${exitCode}`
}

async function lastLines({ log }: EngineFolders): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '')
  const lines = text.trimEnd().split('\n').slice(-LOG_LINES)
  return lines.join('') === '' ? `; ${log} is empty` : `; the last lines of ${log}:\n  ${lines.join('\n  ')}`
}

/** The socket is there before the engine is: it then answers late. */
function answers(socketPath: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const ping = request({ socketPath, path: '/_ping', timeout: PING_LIMIT_MS, signal }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy())
    ping.on('error', () => resolve(false))
    ping.on('close', () => resolve(false))
    ping.end()
  })
}
