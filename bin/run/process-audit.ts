import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { RUN_CONTEXT_VARIABLE } from '../../support/run-context.ts'

/** Milliseconds for processes that were killed to be gone. */
const GONE_WITHIN_MS = 3_000
const LOOK_EVERY_MS = 50

/**
 * Processes that still carry a run's context in their environment, each with the addresses it listens on. Empty where the
 * system doesn't show environments: Linux alone does.
 */
export async function auditProcesses(context: string): Promise<readonly string[]> {
  const deadline = Date.now() + GONE_WITHIN_MS
  let left = await carriers(context)
  while (left.length > 0 && Date.now() < deadline) {
    await delay(LOOK_EVERY_MS)
    left = await carriers(context)
  }
  return Promise.all(left.map(describeProcess))
}

async function carriers(context: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  const wanted = `${RUN_CONTEXT_VARIABLE}=${context}`
  const carry = await Promise.all(
    // Other people's environments are not ours to read, and their processes not ours.
    pids.map(async (pid) => (await textOf(`/proc/${pid}/environ`)).split('\0').includes(wanted)),
  )
  return pids.filter((pid, index) => carry[index] && pid !== process.pid)
}

async function describeProcess(pid: number): Promise<string> {
  const command = (await textOf(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ').trim().slice(0, 200)
  const addresses = await listeningOn(pid)
  const listens = addresses.length > 0 ? `, which listens on ${addresses.join(', ')}` : ''
  return `process ${pid} (${command})${listens}`
}

/** proc(5): sockets are known by their inode; state 0A is LISTEN. */
async function listeningOn(pid: number): Promise<readonly string[]> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')))
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const tables = await Promise.all(['tcp', 'tcp6'].map((table) => textOf(`/proc/${pid}/net/${table}`)))
  return tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const fields = line.trim().split(/\s+/)
      return fields[3] === '0A' && inodes.has(fields[9] ?? '') ? [`TCP port ${portOf(fields[1] ?? '')}`] : []
    }),
  )
}

/** `0100007F:1F90`. */
function portOf(address: string): number {
  return Number.parseInt(address.split(':').at(-1) ?? '', 16)
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
