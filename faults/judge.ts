import type { Scenario, Step } from '../support/report/model.ts'
import type { TestEnd } from './named-tests.ts'

/** What a run against a planted fault showed. */
export type Finding =
  /** `by` names the scenario or the test. */
  | { readonly caught: true; readonly by: string; readonly assertion: string }
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
  if (assertion) return { caught: true, by: assertion.scenario, assertion: assertion.message }
  const [other] = failures
  if (!other) return { caught: false, why: `${scenarios.length} scenario(s) stayed green` }
  const what = ASSERTION.test(other.message)
    ? 'failed, but says not what must hold'
    : 'failed without an assertion'
  return { caught: false, why: `"${other.step}" ${what}: ${other.message}` }
}

/**
 * A test catches a fault in the same way: by an assertion of its own. What its hooks complain of proves nothing, nor that it
 * was not reached.
 */
export function judgeTests(ends: readonly TestEnd[]): Finding {
  const assertion = ends.find((end) => end.outcome === 'failed' && ASSERTION.test(end.message))
  if (assertion) return { caught: true, by: assertion.name, assertion: shorten(assertion.message) }
  const other = ends.find(({ outcome }) => outcome !== 'passed')
  if (!other) return { caught: false, why: `${ends.length} test(s) stayed green` }
  const what = other.outcome === 'failed' ? 'failed without an assertion' : 'did not run to its end'
  return { caught: false, why: `"${other.name}" ${what}: ${shorten(other.message)}` }
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
  return shorten(message)
}

function shorten(message: string): string {
  return message.trim().split('\n', 1)[0]?.slice(0, 200) ?? ''
}
