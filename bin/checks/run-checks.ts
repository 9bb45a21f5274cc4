import { EXIT } from '../exit-codes.ts'
import { listenForInterruption } from '../run/interruption.ts'
import type { Check, CheckResult } from './check.ts'

/**
 * Runs checks in stages, those of one stage side by side, with a line for each and a count at the end. Resolves with the
 * exit code; a signal breaks off what runs and leaves out what is to come.
 */
export async function runChecks(stages: readonly (readonly Check[])[]): Promise<number> {
  using interruption = listenForInterruption()
  const { asked } = interruption
  const results: CheckResult[] = []
  for (const stage of stages) {
    if (asked.aborted) break
    results.push(...(await Promise.all(stage.map((check) => runCheck(check, asked)))))
  }
  const total = (count: 'passed' | 'failed' | 'skipped') =>
    results.reduce((sum, result) => sum + result[count], 0)
  const skipped = total('skipped')
  process.stdout.write(
    `${total('passed')} passed, ${total('failed')} failed${skipped ? `, ${skipped} skipped` : ''}\n`,
  )
  if (asked.aborted) return EXIT.interrupted
  return total('failed') > 0 ? EXIT.failed : EXIT.passed
}

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
