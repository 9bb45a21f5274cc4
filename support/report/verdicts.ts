import { INTERRUPTED, SKIP_MEDIA_TYPE } from './media-types.ts'
import {
  type Attempt,
  type Scenario,
  type Step,
  type StepStatus,
  VERDICTS,
  type Verdict,
  verdictWord,
} from './model.ts'

/** A verdict with the sentence that explains it; `passed` and `failed` speak through their evidence. */
export interface Judgement {
  readonly verdict: Verdict
  readonly reason?: string
}

export const NOT_SELECTED = 'not selected in this run'
export const NOT_RUN = 'the run ended before it ran'
export const NOT_FINISHED = 'the run ended while it was running'

/** Every other status of a step fails its scenario: undefined, ambiguous and pending steps prove nothing. */
const HARMLESS: readonly StepStatus[] = ['passed', 'skipped', 'running']

/** The heaviest of several, with every distinct reason of that weight. Nothing at all proves nothing: missing. */
export function worst(judgements: readonly Judgement[], reasonForNone: string): Judgement {
  const verdict = VERDICTS.find((each) => judgements.some((judgement) => judgement.verdict === each))
  if (!verdict) return { verdict: 'missing', reason: reasonForNone }
  const reasons = new Set(
    judgements.flatMap((each) => (each.verdict === verdict && each.reason ? [each.reason] : [])),
  )
  return reasons.size > 0 ? { verdict, reason: [...reasons].join('; ') } : { verdict }
}

/** `missing: the run ended before it ran`. */
export function explained({ verdict, reason }: Judgement): string {
  // That it was not selected is a reason and a verdict in one.
  if (reason === undefined || verdict === 'unselected') return reason ?? verdictWord(verdict)
  return `${verdict}: ${reason}`
}

/** What a scenario's tries amount to. A pass that needed a second try is flaky, never a plain pass. */
export function judgeScenario(scenario: Scenario, interrupted: boolean): Judgement {
  const last = scenario.attempts.at(-1)
  if (!scenario.selected) return { verdict: 'unselected', reason: NOT_SELECTED }
  if (!last) return { verdict: 'missing', reason: NOT_RUN }
  if (scenario.stepCount === 0) return { verdict: 'failed', reason: 'the scenario has no steps' }
  const judgement = judgeAttempt(last, interrupted)
  if (scenario.attempts.length === 1 || judgement.verdict === 'failed') return judgement
  const tries = scenario.attempts.length
  if (judgement.verdict === 'passed') return { verdict: 'flaky', reason: `passed only on try ${tries}` }
  return { verdict: 'failed', reason: `failed on try ${tries - 1}; the next one did not run to its end` }
}

function judgeAttempt(attempt: Attempt, interrupted: boolean): Judgement {
  const broken = attempt.steps.find((step) => !HARMLESS.includes(step.status))
  if (broken) return { verdict: 'failed', reason: failureReason(broken) }
  if (!attempt.finished) return { verdict: 'missing', reason: NOT_FINISHED }
  if (!attempt.steps.some((step) => step.status === 'skipped')) return { verdict: 'passed' }
  const { reason, step } = skipped(attempt)
  // A hook says so before the first step; a step, when it was cut short.
  if (reason?.startsWith(INTERRUPTED))
    return { verdict: 'missing', reason: step?.hook ? NOT_RUN : NOT_FINISHED }
  if (reason) return { verdict: 'skipped', reason }
  if (interrupted) return { verdict: 'missing', reason: NOT_RUN }
  return { verdict: 'skipped', reason: 'skipped by a step, which left no reason' }
}

function failureReason(step: Step): string {
  const name = `${step.keyword}${step.text}`.trim().replace(/:$/, '')
  if (step.status === 'failed') return `${name}: ${firstLine(step.message) || 'failed without a message'}`
  return `${name}: the step is ${step.status}`
}

function firstLine(message: string | undefined): string {
  return (message ?? '').split('\n', 1)[0]?.trim() ?? ''
}

/** The first step or hook that left a reason, and that reason. */
function skipped({ steps }: Attempt): { readonly step?: Step; readonly reason?: string } {
  for (const step of steps) {
    const reason = step.attachments.find((each) => each.mediaType === SKIP_MEDIA_TYPE)?.body.trim()
    if (reason) return { step, reason }
  }
  return {}
}
