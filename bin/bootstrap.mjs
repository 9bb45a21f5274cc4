/**
 * The first thing that runs, on whatever Node the machine has from 20 on and before anything is installed: installs
 * what is missing, picks a Node that the suite can run on, and hands over to it.
 */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { handOver } from './bootstrap/hand-over.mjs'
import { installWhatIsMissing } from './bootstrap/install.mjs'
import { pickRuntime } from './bootstrap/runtime.mjs'

/** What can be asked for, and what it is handed over to. */
const ENTRIES = new Map([
  ['accept', ['poolwright.ts', 'accept']],
  ['test', ['checks.ts']],
  ['poolwright', ['poolwright.ts']],
  ['faults', ['../faults/run.ts']],
  ['vectors', ['../recordings/vectors.ts']],
  ['gaps', ['../recordings/gaps/write.ts']],
  ['record-kubectl', ['../recordings/record-kubectl.ts']],
  ['drain-check', ['drain-check/check.ts']],
  ['kill-points', ['kill-points/kill-points.ts']],
  ['kubectl', ['../clusters/kubectl/build.ts']],
  ['error-page', ['../docs/write-error-scenarios.ts']],
  ['bench', ['../bench/pool-contention.ts']],
  ['ci', ['../.ci/stages.ts']],
  // Installs and no more: what CI does first.
  ['install', []],
])

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [name = '', ...words] = process.argv.slice(2)
try {
  const entry = ENTRIES.get(name)
  if (!entry) throw new Error(`expected one of ${[...ENTRIES.keys()].join(', ')}, found "${name}"`)
  const [file, ...leading] = entry
  await installWhatIsMissing(root)
  const runtime = pickRuntime(root)
  if (file) await handOver(runtime, fileURLToPath(new URL(file, import.meta.url)), [...leading, ...words])
} catch (error) {
  process.stderr.write(`poolwright: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 2
}
