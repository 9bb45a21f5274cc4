import type { JudgedScenario } from '../matrix.ts'
import type { Attempt, Step, StepStatus, Verdict } from '../model.ts'
import { attachmentView } from './attachment.ts'
import { duration, plain } from './format.ts'
import { type Html, html } from './html.ts'
import { tableView } from './table.ts'
import { verdictMark, verdictSign } from './verdict-mark.ts'

/** One scenario with all its tries: what was done, how long it took, and what it left for a sceptical reader. */
export function scenarioEvidence({ scenario, verdict, reason }: JudgedScenario): Html {
  const { attempts, example, uri, line, feature, rule } = scenario
  const columns = Object.keys(example)
  return html`<section class="scenario" id="${scenario.id}">
<h4>${verdictMark(verdict)} ${scenario.name}</h4>
<p class="place">${feature}${rule && html` › ${rule}`} <code>${uri}:${line}</code></p>
${columns.length > 0 && tableView([columns, columns.map((column) => example[column] ?? '')])}
${verdict !== 'passed' && verdict !== 'failed' && reason && html`<p class="why">${verdict}: ${reason}</p>`}
${attempts.map((attempt, index) => attemptView(attempt, attempts.length > 1 ? index + 1 : undefined))}
</section>`
}

function attemptView(attempt: Attempt, number: number | undefined): Html {
  const steps = attempt.steps.filter(isWorthShowing)
  return html`${number !== undefined && html`<h5>Try ${number}</h5>`}
<ol class="steps">${steps.map(stepView)}</ol>
<p class="took">${attempt.finished ? `took ${duration(attempt.milliseconds)}` : 'did not run to its end'}</p>`
}

/** A hook that passed and left nothing tells a reader nothing. */
function isWorthShowing(step: Step): boolean {
  return !step.hook || step.attachments.length > 0 || !['passed', 'skipped'].includes(step.status)
}

const VERDICT_OF_STATUS: Readonly<Record<StepStatus, Verdict>> = {
  passed: 'passed',
  skipped: 'skipped',
  running: 'missing',
  failed: 'failed',
  undefined: 'failed',
  ambiguous: 'failed',
  pending: 'failed',
  unknown: 'failed',
}

function stepView(step: Step): Html {
  const verdict = VERDICT_OF_STATUS[step.status]
  const word = step.status !== verdict && html` <span class="why">${step.status}</span>`
  return html`<li class="step ${verdict}${step.hook && ' hook'}">
<p>${verdictSign(verdict)}<span class="text"><b>${step.keyword}</b>${step.text}${word}</span><span class="time">${
    step.status !== 'skipped' && duration(step.milliseconds)
  }</span></p>
${step.table && tableView(step.table)}
${step.docString !== undefined && html`<pre>${step.docString}</pre>`}
${verdict === 'failed' && step.message && html`<pre class="failure">${plain(step.message)}</pre>`}
${step.attachments.map(attachmentView)}
</li>`
}
