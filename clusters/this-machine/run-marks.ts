import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../src/contract/errors.ts'
import { identify, lives, type ProcessIdentity } from '../../src/process/process-identity.ts'
import { thisMachine } from '../../src/process/process-table.ts'

/** A run that uses a cluster which outlives it, for as long as the run's process lives. */
export interface RunMark extends ProcessIdentity {
  readonly runId: string
  /** A process of before the machine's last start lives no more, whatever has its number and start time now. */
  readonly boot: string
}

const MARK = 'run.json'

/**
 * Says in a cluster's directory that this process's run uses it, and answers a folder there for what the run needs. What
 * runs that are gone left goes. Call it with the cluster's lock.
 */
export async function markRun(directory: string, runId: string): Promise<string> {
  await livingRuns(directory)
  const identity = await identify(process.pid)
  if (!identity) throw new Error('this process does not find itself among the processes')
  const folder = folderOf(directory, runId)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const mark: RunMark = { runId, boot: thisMachine.boot, ...identity }
  await writeFile(join(folder, `${MARK}.next`), JSON.stringify(mark), { mode: 0o600 })
  await rename(join(folder, `${MARK}.next`), join(folder, MARK))
  return folder
}

/** The run is over. */
export async function unmarkRun(directory: string, runId: string): Promise<void> {
  await rm(folderOf(directory, runId), { recursive: true, force: true })
}

/** Runs that use the cluster now. Call it with the cluster's lock: what other runs left is removed. */
export async function livingRuns(directory: string): Promise<readonly RunMark[]> {
  const living: RunMark[] = []
  for (const runId of await readdir(join(directory, 'runs')).catch(() => [])) {
    const mark = await readMark(folderOf(directory, runId))
    if (mark && mark.boot === thisMachine.boot && (await lives(mark))) living.push(mark)
    else await unmarkRun(directory, runId)
  }
  return living
}

/** Throws UsageError that names the runs of other processes that use the cluster. */
export async function refuseWhileUsed(directory: string, cluster: string, what: string): Promise<void> {
  const others = (await livingRuns(directory)).filter(({ pid }) => pid !== process.pid)
  if (others.length === 0) return
  const runs = others.map(({ runId, pid }) => `run ${runId} (process ${pid})`).join(' and ')
  throw new UsageError(`Cluster ${cluster} is in use by ${runs} and can't be ${what}: wait for it, or end it`)
}

/** Undefined where it was never finished, or is none of ours. */
async function readMark(folder: string): Promise<RunMark | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, MARK), 'utf8')) as RunMark
  } catch {
    return undefined
  }
}

function folderOf(directory: string, runId: string): string {
  return join(directory, 'runs', runId)
}
