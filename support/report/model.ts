/** What a run left behind, as the report tells it: plain data, already joined. */

export const VERDICTS = ['failed', 'flaky', 'missing', 'unselected', 'skipped', 'passed'] as const

/** In order of weight: where several meet, the first of this list wins. */
export type Verdict = (typeof VERDICTS)[number]

/** A verdict as people read it. */
export function verdictWord(verdict: Verdict): string {
  return verdict === 'unselected' ? 'not selected' : verdict
}

export interface Attachment {
  readonly mediaType: string
  readonly name?: string
  /** Text, or base64 where `binary` says so. */
  readonly body: string
  readonly binary: boolean
}

/** Cucumber's own words, and `running` for a step that had begun when the run ended. */
export type StepStatus =
  | 'passed'
  | 'failed'
  | 'skipped'
  | 'undefined'
  | 'ambiguous'
  | 'pending'
  | 'unknown'
  | 'running'

export interface Step {
  /** `Given `, or the hook's kind; empty where unknown. */
  readonly keyword: string
  readonly text: string
  readonly hook: boolean
  readonly status: StepStatus
  readonly milliseconds: number
  readonly message?: string
  readonly table?: readonly (readonly string[])[]
  readonly docString?: string
  readonly attachments: readonly Attachment[]
}

/** One try of a scenario; a retried scenario has several. */
export interface Attempt {
  readonly steps: readonly Step[]
  readonly finished: boolean
  /** RFC 3339. */
  readonly startedAt: string
  readonly milliseconds: number
}

export interface Scenario {
  /** Stable within a run, safe as a fragment. */
  readonly id: string
  readonly name: string
  readonly feature: string
  readonly rule?: string
  readonly uri: string
  readonly line: number
  readonly tags: readonly string[]
  /** The example row, by column. */
  readonly example: Readonly<Record<string, string>>
  readonly stepCount: number
  /** It was chosen for this run; without that it is only known to exist. */
  readonly selected: boolean
  readonly attempts: readonly Attempt[]
}

/** A failure that belongs to no scenario: a BeforeAll hook, a feature file that does not parse. */
export interface RunFailure {
  readonly where: string
  readonly message: string
}

export interface RunRecord {
  readonly scenarios: readonly Scenario[]
  readonly failures: readonly RunFailure[]
  /** RFC 3339 of the last thing heard; absent where nothing was. */
  readonly endedAt?: string
  /** Cucumber itself said that it was done. */
  readonly finished: boolean
}
