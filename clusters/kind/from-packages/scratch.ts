import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { identify } from '../../../src/process/process-identity.ts'

const SCRATCH_NAME = /^\.building-(\d+)-([0-9a-f]{8})-/

/** How the names of this process's unfinished folders begin: they tell whose they are. */
export async function scratchPrefix(): Promise<string> {
  return `.building-${process.pid}-${await startOf(process.pid)}-`
}

export function isScratch(name: string): boolean {
  return SCRATCH_NAME.test(name)
}

/** Removes the unfinished folders of processes that are gone; resolves with the sum of what they measured. */
export async function removeAbandoned(
  folder: string,
  measure: (path: string) => Promise<number> = () => Promise.resolve(0),
): Promise<number> {
  let removed = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid, start] = SCRATCH_NAME.exec(name) ?? []
    if (pid === undefined || (await startOf(Number(pid))) === start) continue
    const path = join(folder, name)
    // A neighbour may sweep it too, and a compiler that outlived its process may write there: then the next one sweeps it.
    removed += await measure(path).catch(() => 0)
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  }
  return removed
}

/** A number alone may come to mean another process later. Undefined where the process is gone. */
async function startOf(pid: number): Promise<string | undefined> {
  const identity = await identify(pid)
  return identity && createHash('sha256').update(identity.started).digest('hex').slice(0, 8)
}
