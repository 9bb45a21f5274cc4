import { CAPABILITIES, type Capability } from '../../../src/contract/capabilities.ts'
import type { Acceptance } from '../acceptance.ts'
import { ranOf } from '../summary.ts'
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

function factsOf({ context, seconds, commit, summary }: Acceptance): [string, string | Html][] {
  const { passed, skipped } = summary.scenarios
  return [
    ['Cluster', html`<strong>${context.rung}</strong>, Kubernetes ${context.version}${rungNote(context)}`],
    ['Started', `${moment(context.startedAt)}, took ${duration(seconds * 1000)}`],
    [
      'Scenarios',
      `${counted(ranOf(summary), 'scenario')} run, ${passed} passed${skipped > 0 ? `; ${skipped} skipped` : ''}`,
    ],
    ['Sources', commit ? sources(commit) : 'not from a git repository'],
    ['Run', html`<code>${context.runId}</code>`],
    ['Played by stand-ins', list(context.standIns, 'nothing')],
    ['This cluster lacks', list(beyond(context.capabilities), 'nothing that scenarios ask for')],
  ]
}

function sources(commit: string): Html {
  const [hash, ...changes] = commit.split(',')
  return html`git commit <code>${hash}</code>${changes.length > 0 && `,${changes.join(',')}`}`
}

/** What a rung's name doesn't tell someone who decides from this page. */
const RUNGS: Readonly<Record<string, string>> = {
  embedded: 'Poolwright’s own API server in memory, which behaves as this version does; not a real cluster',
  kind: 'a real cluster in containers on one machine',
  kubeconfig: 'an existing cluster',
  openshift: 'an existing OpenShift cluster',
}

function rungNote({ rung, kubeContext }: Acceptance['context']): Html {
  const which = kubeContext === undefined ? '' : html`, context <code>${kubeContext}</code>`
  const note = RUNGS[rung]
  return note === undefined ? html`` : html`<br><span class="note">${note}${which}</span>`
}

/** What a cluster of this kind says nothing about, however green the run. */
function beyond(present: readonly Capability[]): readonly string[] {
  const all = Object.entries(CAPABILITIES) as [Capability, string][]
  return all.filter(([capability]) => !present.includes(capability)).map(([, words]) => words)
}

function list(names: readonly string[], none: string): string | Html {
  if (names.length === 0) return none
  return html`<ul>${names.map((name) => html`<li>${name}</li>`)}</ul>`
}
