/** `npm test`: everything that can be checked without an outside cluster, one line each and a count at the end. */
import { fileURLToPath } from 'node:url'
import type { Check, CheckResult } from './checks/check.ts'
import { features } from './checks/features.ts'
import { programCheck } from './checks/program-check.ts'
import { unitTests } from './checks/unit-tests.ts'
import { EXIT } from './exit-codes.ts'
import { listenForInterruption } from './run/interruption.ts'

/** In stages; the checks of one stage run side by side. */
const STAGES: readonly (readonly Check[])[] = [
  [
    programCheck('types', 'tsc', ['--noEmit', '--project', '.']),
    programCheck('format and lint', 'biome', ['ci', '.']),
    programCheck('dead code', 'knip', []),
  ],
  [unitTests],
  [features],
]

// Every test file is a process, and what they load is much the same.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url))

using interruption = listenForInterruption()
const results: CheckResult[] = []
for (const stage of STAGES) {
  if (interruption.asked.aborted) break
  results.push(...(await Promise.all(stage.map((check) => runCheck(check, interruption.asked)))))
}
const total = (count: 'passed' | 'failed' | 'skipped') =>
  results.reduce((sum, result) => sum + result[count], 0)
const skipped = total('skipped')
process.stdout.write(
  `${total('passed')} passed, ${total('failed')} failed${skipped ? `, ${skipped} skipped` : ''}\n`,
)
process.exitCode = interruption.asked.aborted
  ? EXIT.interrupted
  : total('failed') > 0
    ? EXIT.failed
    : EXIT.passed

async function runCheck(check: Check, signal: AbortSignal): Promise<CheckResult> {
  const startedAt = Date.now()
  const result = await check.run(signal).catch((error: unknown) => broken(error))
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  const counts = `${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped`
  process.stdout.write(`${result.failed > 0 ? '✖' : '✔'} ${check.name}: ${counts} (${seconds} s)\n`)
  if (result.output) process.stdout.write(`${result.output.trimEnd()}\n`)
  return result
}

function broken(error: unknown): CheckResult {
  return {
    passed: 0,
    failed: 1,
    skipped: 0,
    output: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }
}
