import type { Acceptance } from '../acceptance.ts'
import type { CriterionResult, FamilyResult, JudgedScenario } from '../matrix.ts'
import type { Verdict } from '../model.ts'
import { plain, shortened } from './format.ts'
import { type Html, html } from './html.ts'
import { mismatchText, mismatchView } from './mismatch.ts'
import { verdictMark } from './verdict-mark.ts'

/** What stands between this run and a plain pass, heaviest first; nothing at all when nothing does. */
export function attention({ matrix, summary }: Acceptance): Html {
  const items = [
    ...summary.problems.map((problem) => item('failed', 'Outside any scenario', problemView(plain(problem)))),
    ...scenarioItems(matrix.scenarios, 'failed'),
    ...scenarioItems(matrix.scenarios, 'flaky'),
    ...summary.unmet.map(({ id, verdict, reason }) => item(verdict, `Required: ${id}`, reason)),
    ...gapItems(matrix.families.filter(isBuilt).flatMap((family) => family.criteria)),
  ]
  if (items.length === 0) return html``
  return html`<section class="attention" aria-labelledby="attention">
<h2 id="attention">What needs attention</h2>
<ul>${items}</ul>
</section>`
}

function problemView(problem: string): string | Html {
  return problem.includes('\n') ? html`<pre class="failure">${problem}</pre>` : problem
}

/** Scenarios with one cause stand together, or one broken cluster would fill the page. */
function scenarioItems(scenarios: readonly JudgedScenario[], verdict: Verdict): Html[] {
  const concerned = scenarios.filter((judged) => judged.verdict === verdict)
  const groups = Map.groupBy(concerned, ({ scenario, reason = '' }) => {
    return `${cause(reason) || scenario.id}\n${mismatchText(scenario)}`
  })
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { reason = '' } = first
    const mismatch = mismatchView(mismatchText(first.scenario), shortened(reason))
    if (group.length === 1) return [item(verdict, link(first), html`${shortened(reason)}${mismatch}`)]
    const list = html`<ul class="plain">${group.map((judged) => html`<li>${link(judged)}</li>`)}</ul>`
    const shown = group.length <= FEW
    const folded = html`<details><summary>show them</summary>${list}</details>`
    const title = `${group.length} scenarios: ${shortened(cause(reason))}`
    return [item(verdict, title, html`${mismatch}${shown ? list : folded}`)]
  })
}

/** As many as a reader takes in at a glance. */
const FEW = 4

/** The reason without the step that met it. */
function cause(reason: string): string {
  return reason.replace(/^(?:Given|When|Then|And|But|\*) [^\n]*?: (?=\S)/, '')
}

function link({ scenario, cells }: JudgedScenario): Html {
  const claims = cells.map(({ criterion, cell }) => `${criterion}.${cell}`).join(', ')
  return html`<a href="#${scenario.id}">${scenario.name}</a>${claims && html` <code>${claims}</code>`}`
}

/** Cells without a pass for want of a scenario or of a capability, those with one reason together. */
function gapItems(criteria: readonly CriterionResult[]): Html[] {
  const groups = new Map<string, { verdict: Verdict; reason: string; cells: string[] }>()
  for (const { criterion, cells } of criteria) {
    for (const { name, verdict, reason = '' } of cells) {
      if ((verdict !== 'missing' && verdict !== 'skipped') || criterion.computed) continue
      const key = `${verdict} ${reason}`
      const group = groups.get(key) ?? { verdict, reason, cells: [] }
      group.cells.push(`${criterion.id}.${name}`)
      groups.set(key, group)
    }
  }
  return [...groups.values()].map(({ verdict, reason, cells }) =>
    item(verdict, reason, html`${cells.map((cell) => html`<a class="cell" href="#${cell}">${cell}</a> `)}`),
  )
}

function isBuilt({ family }: FamilyResult): boolean {
  return family.status !== 'later'
}

function item(verdict: Verdict, title: string | Html, detail?: string | Html): Html {
  return html`<li>${verdictMark(verdict)}<div><p>${title}</p>${detail && html`<div class="detail">${detail}</div>`}</div></li>`
}
