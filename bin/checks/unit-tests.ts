import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { run } from 'node:test'
import { dot } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import type { Check, CheckResult } from './check.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A test file that takes longer hangs, in milliseconds. */
const FILE_LIMIT_MS = 120_000

/** Every test that stands beside the code it tests, each file in a process of its own. */
export const unitTests: Check = {
  name: 'unit tests',
  run: async (signal) => {
    const files = globSync(['*/**/*.test.ts', '.ci/*.test.ts'], { cwd: ROOT, exclude: ['node_modules/**'] })
    const stream = run({
      files: files.map((file) => join(ROOT, file)),
      // Left to itself it spares one core, which is half of what there is on two.
      concurrency: availableParallelism(),
      timeout: FILE_LIMIT_MS,
      signal,
    })
    // Tests that are broken off may end without ever summing up.
    let counted: Omit<CheckResult, 'output'> = { passed: 0, failed: 1, skipped: 0 }
    stream.on('test:summary', ({ file, counts: { tests, passed, skipped, todo } }) => {
      // Each file has a summary; the one for the whole names none. What was cancelled has failed.
      if (file === undefined) counted = { passed, failed: tests - passed - skipped - todo, skipped }
    })
    const output = await text(stream.compose(dot))
    return { ...counted, output: counted.failed > 0 ? output : '' }
  },
}
