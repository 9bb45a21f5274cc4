import type { Scenario } from '../support/report/model.ts'

/** What a run against a planted fault showed. */
export type Finding =
  | { readonly caught: true; readonly scenario: string; readonly assertion: string }
  | { readonly caught: false; readonly why: string }

/** How an assertion of chai, or of a step that judges by itself, announces itself in Cucumber's message. */
const ASSERTION = /^(AssertionError|UnassertedFailure)\b/

/**
 * A fault is caught when an assertion of a scenario of the right cell fails. A crash, a time-out or a scenario of
 * another cell proves nothing about it.
 */
export function judge(scenarios: readonly Scenario[]): Finding {
  if (scenarios.length === 0) return { caught: false, why: 'no scenario of the cells it names ran' }
  const failures = scenarios.flatMap((scenario) =>
    (scenario.attempts.at(-1)?.steps ?? [])
      .filter((step) => step.status === 'failed')
      .map((step) => ({ scenario: scenario.name, step: step.text, message: firstLine(step.message) })),
  )
  const assertion = failures.find(({ message }) => ASSERTION.test(message))
  if (assertion) return { caught: true, scenario: assertion.scenario, assertion: assertion.message }
  const [crash] = failures
  if (crash) return { caught: false, why: `"${crash.step}" failed without an assertion: ${crash.message}` }
  return { caught: false, why: `${scenarios.length} scenario(s) stayed green` }
}

function firstLine(message = ''): string {
  return message.trim().split('\n', 1)[0]?.slice(0, 200) ?? ''
}
