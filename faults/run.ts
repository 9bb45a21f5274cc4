import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { UsageError } from '../src/contract/errors.ts'
import { type Fault, readFaults } from './fault.ts'
import { type Finding, judge } from './judge.ts'
import { runCells } from './suite.ts'
import { copyProduct, plant } from './workspace.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Plants each fault in a copy of the product and runs the scenarios that must catch it. Ends with `caught N of N`;
 * exit code 1 when one got away, 2 when there was nothing to judge by.
 */
async function main(signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      rung: { type: 'string', default: 'embedded' },
      'changed-since': { type: 'string' },
      at: { type: 'string', default: '2' },
    },
  })
  const all = readFaults(fileURLToPath(new URL('patches', import.meta.url)))
  const faults = await select(all, values)
  if (faults.length === 0) {
    console.log(`No fault concerns these changes (${all.length} known).\ncaught 0 of 0`)
    return 0
  }
  await requireGreenBaseline(faults, values.rung, signal)
  const findings = await inTurn(faults, Number(values.at), async (fault) => {
    const finding = await tryFault(fault, signal)
    console.log(describe(fault, finding))
    return finding
  })
  const caught = findings.filter((finding) => finding.caught).length
  console.log(`caught ${caught} of ${faults.length}`)
  return caught === faults.length ? 0 : 1
}

interface Selection {
  readonly only?: string[]
  readonly rung: string
  readonly 'changed-since'?: string
}

async function select(all: readonly Fault[], options: Selection): Promise<Fault[]> {
  const unknown = options.only?.find((name) => !all.some((fault) => fault.name === name))
  if (unknown)
    throw new UsageError(`There is no fault "${unknown}"; known: ${all.map(({ name }) => name).join(', ')}`)
  const since = options['changed-since']
  const changed = since === undefined ? undefined : await changedFiles(since)
  return all.filter(
    (fault) =>
      fault.rung === options.rung &&
      (options.only?.includes(fault.name) ?? true) &&
      (changed === undefined ||
        fault.files.some((file) => changed.has(file)) ||
        changed.has(relativePatch(fault))),
  )
}

async function changedFiles(since: string): Promise<Set<string>> {
  const { stdout } = await execa('git', ['diff', '--name-only', since], { cwd: ROOT })
  return new Set(stdout.split('\n'))
}

function relativePatch(fault: Fault): string {
  return `faults/patches/${fault.name}.patch`
}

/** A suite that is red by itself would seem to catch everything. */
async function requireGreenBaseline(
  faults: readonly Fault[],
  rung: string,
  signal: AbortSignal,
): Promise<void> {
  const workspace = await copyProduct(ROOT)
  try {
    const cells = [...new Set(faults.flatMap((fault) => fault.cells))]
    const run = await runCells(workspace, rung, cells, signal)
    const unproven = cells.find((cell) => !run.scenarios.some((each) => each.cells.includes(cell)))
    if (unproven) throw new UsageError(`No scenario ran for ${unproven}, which a fault names:\n${run.output}`)
    if (run.exitCode !== 0) throw new UsageError(`The unpatched suite is not green:\n${run.output}`)
    console.log(`baseline green: ${run.scenarios.length} scenarios of ${cells.length} cells on ${rung}`)
  } finally {
    await workspace.remove()
  }
}

async function tryFault(fault: Fault, signal: AbortSignal): Promise<Finding> {
  const workspace = await copyProduct(ROOT)
  try {
    await plant(fault, workspace, signal)
    const { scenarios } = await runCells(workspace, fault.rung, fault.cells, signal)
    return judge(
      scenarios
        .filter(({ cells }) => cells.some((cell) => fault.cells.includes(cell)))
        .map(({ scenario }) => scenario),
    )
  } finally {
    await workspace.remove()
  }
}

function describe(fault: Fault, finding: Finding): string {
  const head = `${finding.caught ? 'caught' : 'MISSED'}  ${fault.name}: ${fault.title}`
  const detail = finding.caught ? `${finding.scenario} — ${finding.assertion}` : finding.why
  return `${head}\n        ${detail}`
}

/** Works through the items with so many at a time, results in the order of the items. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const entries = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker))
  return results
}

const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort(name))
try {
  process.exitCode = await main(interrupted.signal)
} catch (error) {
  if (!(error instanceof UsageError) && !interrupted.signal.aborted) throw error
  console.error(interrupted.signal.aborted ? 'Interrupted.' : (error as Error).message)
  process.exitCode = interrupted.signal.aborted ? 130 : 2
}
