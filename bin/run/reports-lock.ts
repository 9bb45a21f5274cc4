import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../src/contract/errors.ts'
import { identify, lives, type ProcessIdentity } from '../../src/process/process-identity.ts'

/** How often a lock that its owner left behind is put away before somebody else's is believed. */
const ATTEMPTS = 5

/**
 * Keeps a folder of reports to one run: with two, each would give the other's scenarios its own verdict. Throws a
 * UsageError while another process has it; what a process left that is no more counts for nothing.
 */
export async function lockReports(reports: string): Promise<AsyncDisposable> {
  await mkdir(reports, { recursive: true })
  const path = join(reports, 'run.lock')
  let owner: ProcessIdentity | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await create(path)) return { [Symbol.asyncDispose]: () => rm(path, { force: true }) }
    owner = await read(path)
    if (owner && (await lives(owner))) break
    await rm(path, { force: true })
  }
  const who = owner ? `process ${owner.pid}` : 'another process'
  throw new UsageError(
    `${who} writes its reports to ${reports}: wait for it, or name another folder with --reports`,
  )
}

/** False where there is one already. A link appears with its content, so that no reader takes it for cut short. */
async function create(path: string): Promise<boolean> {
  const written = `${path}.${process.pid}`
  await writeFile(written, JSON.stringify(await identify(process.pid)))
  try {
    await link(written, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(written, { force: true })
  }
}

/** Undefined where it says nothing of use: it is not one of ours, or gone by now. */
async function read(path: string): Promise<ProcessIdentity | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ProcessIdentity
  } catch {
    return undefined
  }
}
