import type { Acceptance } from '../acceptance.ts'
import type { CellResult, CriterionResult, FamilyResult, JudgedScenario } from '../matrix.ts'
import { explained, type Judgement } from '../verdicts.ts'
import { counted, shortened } from './format.ts'
import { type Html, html } from './html.ts'
import { scenarioEvidence } from './scenario.ts'
import { criterionMark, verdictSign } from './verdict-mark.ts'

/** The evidence behind every cell. A scenario that proves several is shown at the first and linked from the others. */
export function evidence({ matrix }: Acceptance): Html {
  const shown = new Set<string>()
  const criteria = matrix.families
    .filter(hasEvidence)
    .flatMap((family) => family.criteria)
    .map((each) => criterionSection(each, shown))
  const others = matrix.scenarios.filter(({ scenario }) => scenario.selected && !shown.has(scenario.id))
  return html`<section class="evidence" aria-labelledby="evidence">
<h2 id="evidence">Evidence</h2>
<button type="button" id="toggle-all" aria-pressed="false" hidden>Open all evidence</button>
${criteria}
${others.length > 0 && otherScenarios(others, shown)}
</section>`
}

/** What is not built yet has no evidence, and says so once, in the matrix. */
export function hasEvidence({ family, criteria }: FamilyResult): boolean {
  return family.status !== 'later' || criteria.some((criterion) => criterion.verdict !== 'missing')
}

function criterionSection(result: CriterionResult, shown: Set<string>): Html {
  const { criterion, cells } = result
  const demanded = criterion.evidence ?? criterion.expected
  const label = criterion.evidence ? 'Evidence asked for' : 'Expected'
  return html`<article class="criterion" id="${criterion.id}">
<h3>${criterionMark(result)} <span class="id">${criterion.id}</span> ${criterion.text}</h3>
${demanded && html`<p class="demand">${label}: ${demanded}</p>`}
${cells.map((cell) => cellEvidence(criterion.id, cell, criterion.notes?.[cell.name], shown))}
</article>`
}

function cellEvidence(id: string, cell: CellResult, note: string | undefined, shown: Set<string>): Html {
  const title = html`${verdictSign(cell.verdict)}<span class="name">${cell.name}</span>`
  const about = html`${note && html`<span class="note">(${note})</span>`} ${cellSentence(cell)}`
  const ran = cell.scenarios.filter(({ scenario }) => scenario.attempts.length > 0)
  if (ran.length === 0) return html`<p class="cell-line" id="${id}.${cell.name}">${title} ${about}</p>`
  const [only] = ran
  return html`<details class="cell-line" id="${id}.${cell.name}"${isOpen(cell) && html` open`}>
<summary>${title} ${about}</summary>
${ran.length === 1 && only ? scenarioOnce(only, shown) : ran.map((judged) => scenarioLine(judged, shown))}
</details>`
}

function isOpen({ verdict }: Judgement): boolean {
  return verdict === 'failed' || verdict === 'flaky'
}

function cellSentence({ verdict, reason, scenarios }: CellResult): Html {
  const [only] = scenarios
  const law = scenarios.length === 1 && only ? only.scenario.name : counted(scenarios.length, 'scenario')
  const why = reason && (verdict !== 'passed' || scenarios.length === 0) && shortened(reason)
  const named = scenarios.length > 0 && html`<span class="law">${law}</span>`
  return html`${named}${why && html` <span class="why ${verdict}">${explained({ verdict, reason: why })}</span>`}`
}

function scenarioLine(judged: JudgedScenario, shown: Set<string>): Html {
  const { scenario, verdict, reason } = judged
  if (shown.has(scenario.id)) return scenarioOnce(judged, shown)
  const why =
    verdict !== 'passed' && reason && html` <span class="why ${verdict}">${shortened(reason)}</span>`
  return html`<details class="case"${isOpen(judged) && html` open`}>
<summary>${verdictSign(verdict)}<span class="law">${scenario.name}</span>${why}</summary>
${scenarioOnce(judged, shown)}
</details>`
}

function scenarioOnce(judged: JudgedScenario, shown: Set<string>): Html {
  const { id, name } = judged.scenario
  if (shown.has(id)) {
    return html`<p class="elsewhere">${verdictSign(judged.verdict)}<a href="#${id}">${name}</a>, shown above</p>`
  }
  shown.add(id)
  return scenarioEvidence(judged)
}

function otherScenarios(others: readonly JudgedScenario[], shown: Set<string>): Html {
  return html`<article class="criterion">
<h3>Scenarios that prove no cell of the list</h3>
${others.map((judged) => scenarioLine(judged, shown))}
</article>`
}
