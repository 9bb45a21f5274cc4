import type { Acceptance } from '../acceptance.ts'
import { counted, duration, moment } from './format.ts'
import { headline } from './headline.ts'
import { type Html, html } from './html.ts'

/** What was proven, where, on which sources and when: all that a reader needs before any detail. */
export function header(acceptance: Acceptance): Html {
  const { tone, title, sentence } = headline(acceptance)
  const facts = factsOf(acceptance).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)
  return html`<header class="top ${tone}">
<p class="kicker">Poolwright acceptance report</p>
<h1>${title}</h1>
<p class="sentence">${sentence}</p>
<dl class="facts">${facts}</dl>
</header>`
}

function factsOf({ context, run, seconds, commit, summary }: Acceptance): [string, string | Html][] {
  const ran = run.scenarios.filter((scenario) => scenario.attempts.length > 0).length
  const passed = summary.scenarios.passed
  return [
    ['Cluster', html`<strong>${context.rung}</strong>, Kubernetes ${context.version}`],
    ['Started', `${moment(context.startedAt)}, took ${duration(seconds * 1000)}`],
    ['Scenarios', `${counted(ran, 'scenario')} run, ${passed} passed`],
    ['Sources', commit ? html`git commit <code>${commit}</code>` : 'not from a git repository'],
    ['Run', html`<code>${context.runId}</code>`],
    ['Stand-ins', standIns(context.standIns)],
  ]
}

function standIns(names: readonly string[]): string | Html {
  if (names.length === 0) return 'none: every component is the real one'
  return html`<ul>${names.map((name) => html`<li>${name}</li>`)}</ul>`
}
