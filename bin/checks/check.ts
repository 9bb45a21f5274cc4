/** One thing that `npm test` looks at, and what came of it. */
export interface Check {
  /** As a person names it: `types`, `unit tests`. */
  readonly name: string
  run(signal: AbortSignal): Promise<CheckResult>
}

export interface CheckResult {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** What to show; of a check that passed only what a person should know all the same. */
  readonly output: string
}
