import type { RunEvent, ScenarioFinished } from '../../support/run-events.ts'

/** The scenarios that a person must look at, from the events of a run. Verdicts are made from its messages instead. */
export class Results {
  readonly #finished: ScenarioFinished[] = []

  take(event: RunEvent): void {
    if (event.type === 'scenario-finished' && !event.retried) this.#finished.push(event)
  }

  get failed(): readonly ScenarioFinished[] {
    return this.#finished.filter(({ status }) => status === 'failed')
  }

  get flaky(): readonly ScenarioFinished[] {
    return this.#finished.filter(isFlaky)
  }
}

/** A pass that needed another attempt is flaky, never a plain pass. */
export function isFlaky({ status, scenario }: ScenarioFinished): boolean {
  return status === 'passed' && scenario.attempt > 0
}
