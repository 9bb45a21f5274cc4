/** What a stage adds to the count at the end. */
export interface StageCount {
  readonly passed: number
  readonly failed: number
}

/**
 * Reads `N passed`, `N failed` and `N flaky` from the last line of a stage's output that looks as given. A stage without
 * such a line counts as one; one whose exit code says that it failed counts at least one failure, whatever it printed.
 */
export function countStage(output: string, exitCode: number | null, line?: RegExp): StageCount {
  const last = line && output.split('\n').findLast((candidate) => line.test(candidate))
  const counted = last
    ? { passed: sum(last, /(\d+) passed/g), failed: sum(last, /(\d+) (?:failed|flaky)/g) }
    : undefined
  if (exitCode === 0) return counted ?? { passed: 1, failed: 0 }
  return { passed: counted?.passed ?? 0, failed: Math.max(counted?.failed ?? 0, 1) }
}

function sum(line: string, pattern: RegExp): number {
  return [...line.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0)
}
