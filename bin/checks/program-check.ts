import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { Check } from './check.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A tool out of node_modules that says by its exit code whether all is well; it counts as one. */
export function programCheck(name: string, program: string, words: readonly string[]): Check {
  return {
    name,
    run: async (cancelSignal) => {
      const result = await execa(join(ROOT, 'node_modules', '.bin', program), words, {
        cwd: ROOT,
        all: true,
        reject: false,
        stdin: 'ignore',
        cancelSignal,
        // Some of these tools are Node programs: on the Node that runs this, whatever the path says.
        preferLocal: true,
        localDir: ROOT,
      })
      const failed = result.failed ? 1 : 0
      return {
        passed: 1 - failed,
        failed,
        skipped: 0,
        output: failed ? (result.all ?? result.shortMessage ?? '') : '',
      }
    },
  }
}
