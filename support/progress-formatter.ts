/**
 * Tells the command line over IPC how the run is going: it writes nothing itself, since the terminal belongs to the
 * command line.
 */
import type { FormatterPlugin } from '@cucumber/cucumber/api'
import { nearestPatterns } from './nearest-patterns.ts'
import { SKIP_MEDIA_TYPE } from './report/media-types.ts'
import type { RunEvent, ScenarioFailure, ScenarioReference, ScenarioStatus } from './run-events.ts'
import { type Envelope, type IndexedScenario, ScenarioIndex } from './scenario-index.ts'

const formatter: FormatterPlugin = {
  type: 'formatter',
  formatter: ({ on }) => on('message', translate(send)),
}
export default formatter

/** Turns Cucumber's messages into run events, one running attempt at a time per worker. */
export function translate(send: (event: RunEvent) => void): (envelope: Envelope) => void {
  const index = new ScenarioIndex()
  const attempts = new Map<string, Attempt>()
  const patterns: string[] = []
  return (envelope) => {
    if (envelope.stepDefinition) patterns.push(envelope.stepDefinition.pattern.source)
    index.take(envelope)
    const started = envelope.testCaseStarted
    const scenario = started && index.scenario(started.testCaseId)
    if (scenario) {
      const attempt = new Attempt(scenario, patterns, started.attempt, milliseconds(started.timestamp))
      attempts.set(started.id, attempt)
      send({ type: 'scenario-started', scenario: attempt.reference })
    }
    const running = envelope.testStepStarted
    const phase = running && attempts.get(running.testCaseStartedId)
    if (phase) {
      send({ type: 'phase', id: phase.reference.id, phase: phase.scenario.describe(running.testStepId).text })
    }
    const attached = envelope.attachment
    if (attached?.mediaType === SKIP_MEDIA_TYPE) {
      attempts.get(attached.testCaseStartedId ?? '')?.takeReason(attached.body)
    }
    const step = envelope.testStepFinished
    if (step) attempts.get(step.testCaseStartedId)?.take(step)
    const finished = envelope.testCaseFinished
    const ended = finished && attempts.get(finished.testCaseStartedId)
    if (ended) {
      attempts.delete(finished.testCaseStartedId)
      send(ended.finish(finished.willBeRetried, milliseconds(finished.timestamp)))
    }
    const hook = envelope.testRunHookFinished
    if (hook?.result.status === 'FAILED') {
      send({ type: 'run-failure', message: hook.result.message ?? 'a hook of the run failed' })
    }
    const broken = envelope.testRunFinished?.exception
    if (broken) send({ type: 'run-failure', message: broken.stackTrace ?? broken.message ?? broken.type })
  }
}

/** The command line may be gone at any moment; the run goes on until it has cleaned up. */
function send(event: RunEvent): void {
  if (process.connected) process.send?.(event, undefined, undefined, () => undefined)
}

type StepFinished = NonNullable<Envelope['testStepFinished']>
type StepResult = StepFinished['testStepResult']

/** What one attempt of a scenario has come to so far. */
class Attempt {
  readonly scenario: IndexedScenario
  readonly reference: ScenarioReference
  readonly #patterns: readonly string[]
  readonly #startedAt: number
  #status: ScenarioStatus = 'passed'
  #failure: ScenarioFailure | undefined
  #reason: string | undefined

  constructor(scenario: IndexedScenario, patterns: readonly string[], attempt: number, startedAt: number) {
    this.scenario = scenario
    this.#patterns = patterns
    this.reference = { id: scenario.id, name: scenario.name, location: scenario.location, attempt }
    this.#startedAt = startedAt
    if (scenario.empty) {
      this.#status = 'failed'
      this.#failure = { step: 'no step', location: scenario.location, message: 'The scenario has no steps.' }
    }
  }

  take({ testStepId, testStepResult }: StepFinished): void {
    if (testStepResult.status === 'PASSED' || this.#status === 'failed') return
    if (testStepResult.status === 'SKIPPED') {
      this.#status = 'skipped'
      return
    }
    const { text, location } = this.scenario.describe(testStepId)
    this.#status = 'failed'
    this.#failure = { step: text, location, message: explain(testStepResult, text, this.#patterns) }
  }

  takeReason(reason: string): void {
    this.#reason = reason
  }

  finish(retried: boolean, at: number): RunEvent {
    return {
      type: 'scenario-finished',
      scenario: this.reference,
      status: this.#status,
      retried,
      seconds: (at - this.#startedAt) / 1000,
      ...(this.#reason === undefined ? {} : { reason: this.#reason }),
      ...(this.#failure === undefined ? {} : { failure: this.#failure }),
    }
  }
}

/** Statuses that carry no message of their own. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  AMBIGUOUS: 'More than one step definition matches this step.',
  PENDING: 'The step definition says that it is pending.',
}

function explain(result: StepResult, text: string, patterns: readonly string[]): string {
  if (result.status === 'UNDEFINED') return undefinedStep(text, patterns)
  return result.message ?? EXPLANATIONS[result.status] ?? result.status
}

function undefinedStep(text: string, patterns: readonly string[]): string {
  const nearest = nearestPatterns(text, patterns)
  const hint = nearest.length > 0 ? 'The nearest there are:' : '"poolwright steps" lists those there are.'
  return [`No step definition matches this step. ${hint}`, ...nearest.map((each) => `  ${each}`)].join('\n')
}

function milliseconds({ seconds, nanos }: { seconds: number; nanos: number }): number {
  return seconds * 1000 + nanos / 1e6
}
