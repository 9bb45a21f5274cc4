import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { run } from 'node:test'
import { dot } from 'node:test/reporters'
import type { Check, CheckResult } from './check.ts'

/** A test file that takes longer hangs, in milliseconds. */
const FILE_LIMIT_MS = 120_000

/** Every test that stands beside the code it tests, each file in a process of its own. */
export function unitTestsIn(root: string): Check {
  return { name: 'unit tests', run: (signal) => runUnitTests(root, signal) }
}

async function runUnitTests(root: string, signal: AbortSignal): Promise<CheckResult> {
  const files = globSync(['*/**/*.test.ts', '.ci/*.test.ts'], { cwd: root, exclude: ['node_modules/**'] })
  const stream = run({
    files: files.map((file) => join(root, file)),
    // Left to itself it spares one core, which is half of what there is on two.
    concurrency: availableParallelism(),
    timeout: FILE_LIMIT_MS,
    execArgv: ['--import', new URL('./end-at-signal.ts', import.meta.url).href],
    signal: withError(signal),
  })
  // Tests that are broken off may end without ever summing up.
  let counted: Omit<CheckResult, 'output'> = { passed: 0, failed: 1, skipped: 0 }
  stream.on('test:summary', ({ file, counts: { tests, passed, skipped, todo } }) => {
    // Each file has a summary; the one for the whole names none. What was cancelled has failed.
    if (file === undefined) counted = { passed, failed: tests - passed - skipped - todo, skipped }
  })
  const output = await text(stream.compose(dot))
  return { ...counted, output: counted.failed > 0 ? output : '' }
}

/** Node's runner hangs where the reason of an abort is a text: it means to note on it what kind of failure it is. */
function withError(signal: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const pass = () => controller.abort(new Error(`broken off by ${signal.reason}`))
  if (signal.aborted) pass()
  else signal.addEventListener('abort', pass, { once: true })
  return controller.signal
}
