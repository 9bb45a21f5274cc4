/** What a Cucumber process tells the command line while it runs. Plain data: it crosses the process boundary. */
export type RunEvent =
  /** The features have been read; nothing runs before the command line answers with RunMessage. */
  | { readonly type: 'planned'; readonly scenarios: number }
  /** The request itself is wrong: a tag expression, a feature that can't be parsed. */
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'scenario-started'; readonly scenario: ScenarioReference }
  | { readonly type: 'phase'; readonly id: string; readonly phase: string }
  | ScenarioFinished
  /** A BeforeAll or AfterAll hook failed, or the run itself broke. */
  | { readonly type: 'run-failure'; readonly message: string }
  | { readonly type: 'finished'; readonly success: boolean }

export interface ScenarioReference {
  /** Of the test case, the same for all its attempts. */
  readonly id: string
  readonly name: string
  /** `features/pool/allocation.feature:12`. */
  readonly location: string
  /** Counted from 0. */
  readonly attempt: number
}

export interface ScenarioFinished {
  readonly type: 'scenario-finished'
  readonly scenario: ScenarioReference
  readonly status: ScenarioStatus
  /** Another attempt of the same scenario follows. */
  readonly retried: boolean
  readonly seconds: number
  /** Why it was skipped, where the hook said so. */
  readonly reason?: string
  readonly failure?: ScenarioFailure
}

/** Undefined, ambiguous and pending steps are failures, told apart by their message. */
export type ScenarioStatus = 'passed' | 'failed' | 'skipped'

export interface ScenarioFailure {
  /** The step's text, or which hook. */
  readonly step: string
  /** Of the step in the feature file; of the scenario for a hook. */
  readonly location: string
  readonly message: string
}

/** The command line's answer to 'planned': clusters are up, run. */
export interface RunMessage {
  readonly type: 'run'
}
