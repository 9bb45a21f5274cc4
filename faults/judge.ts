import type { Scenario, Step } from '../support/report/model.ts'

/** What a run against a planted fault showed. */
export type Finding =
  | { readonly caught: true; readonly scenario: string; readonly assertion: string }
  | { readonly caught: false; readonly why: string }

/** How an assertion of chai or of Node announces itself in Cucumber's message. */
const ASSERTION = /^AssertionError\b/

/**
 * A fault is caught when an assertion of a scenario of the right cell fails, in a step that says what must hold. A
 * crash, a time-out, a Given that could not be arranged and a hook's complaint prove nothing about it.
 */
export function judge(scenarios: readonly Scenario[]): Finding {
  if (scenarios.length === 0) return { caught: false, why: 'no scenario of the cells it names ran' }
  const failures = scenarios.flatMap((scenario) =>
    failedSteps(scenario).map((step) => ({ ...step, scenario: scenario.name })),
  )
  const assertion = failures.find(({ proves, message }) => proves && ASSERTION.test(message))
  if (assertion) return { caught: true, scenario: assertion.scenario, assertion: assertion.message }
  const [other] = failures
  if (!other) return { caught: false, why: `${scenarios.length} scenario(s) stayed green` }
  const what = ASSERTION.test(other.message)
    ? 'failed, but says not what must hold'
    : 'failed without an assertion'
  return { caught: false, why: `"${other.step}" ${what}: ${other.message}` }
}

interface FailedStep {
  readonly step: string
  /** It is a Then, or an And after one. */
  readonly proves: boolean
  readonly message: string
}

function failedSteps({ attempts }: Scenario): FailedStep[] {
  let keyword = ''
  return (attempts.at(-1)?.steps ?? []).flatMap((step) => {
    if (!step.hook) keyword = CONTINUED.test(step.keyword) ? keyword : step.keyword.trim()
    if (step.status !== 'failed') return []
    return [{ step: step.text, proves: !step.hook && keyword === 'Then', message: firstLine(step) }]
  })
}

const CONTINUED = /^(And|But|\*)\s*$/

function firstLine({ message = '' }: Step): string {
  return message.trim().split('\n', 1)[0]?.slice(0, 200) ?? ''
}
