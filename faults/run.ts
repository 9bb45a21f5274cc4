import { fileURLToPath } from 'node:url'
import { UsageError } from '../src/contract/errors.ts'
import { type Fault, type NamedTest, readFaults } from './fault.ts'
import type { Finding } from './judge.ts'
import { readOptions, selectFaults } from './selection.ts'
import { tryFaults } from './trial.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PATCHES = fileURLToPath(new URL('patches', import.meta.url))

/**
 * `npm run faults`: plants each fault in a copy of the project and runs the scenarios and tests that must catch it. Ends with
 * `caught N of N`; exit code 1 when one got away, 2 when there was nothing to judge by.
 */
async function main(signal: AbortSignal): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  const all = readFaults(PATCHES)
  if (options.list) {
    console.log(tableOf(all))
    return 0
  }
  const faults = await selectFaults(ROOT, all, options)
  if (faults.length === 0) {
    console.log(`No fault concerns this (${all.length} known).\ncaught 0 of 0`)
    return 0
  }
  const findings = await tryFaults(faults, {
    root: ROOT,
    rung: options.rung,
    width: Math.min(options.width, faults.length),
    signal,
    say: (line) => console.log(line),
    report,
  })
  const caught = findings.filter((finding) => finding.caught).length
  console.log(`caught ${caught} of ${faults.length}`)
  return caught === faults.length ? 0 : 1
}

function report(fault: Fault, finding: Finding, seconds: number): void {
  const verdict = finding.caught ? 'caught' : 'MISSED'
  const detail = finding.caught ? `${finding.by}: ${finding.assertion}` : finding.why
  console.log(`${verdict}  ${fault.name}: ${fault.title} (${seconds.toFixed(1)} s)\n        ${detail}`)
}

/** All entries as a Markdown table. */
function tableOf(faults: readonly Fault[]): string {
  const rows = faults.map(
    ({ name, title, rung, cells, tests }) =>
      `| ${name} | ${title} | ${rung} | ${[...cells, ...tests.map(describeTest)].join(', ')} |`,
  )
  return ['| entry | fault | rung | caught by |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function describeTest({ file, name }: NamedTest): string {
  return `${file}: “${name}”`
}

const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interrupted.abort(name))
try {
  process.exitCode = await main(interrupted.signal)
} catch (error) {
  if (!(error instanceof UsageError) && !interrupted.signal.aborted) throw error
  console.error(interrupted.signal.aborted ? 'Interrupted.' : (error as Error).message)
  process.exitCode = interrupted.signal.aborted ? 130 : 2
}
