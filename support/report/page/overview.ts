import type { Acceptance } from '../acceptance.ts'
import type { CellResult, CriterionResult, FamilyResult } from '../matrix.ts'
import { explained } from '../verdicts.ts'
import { hasEvidence } from './evidence.ts'
import { cellCounts, shortened } from './format.ts'
import { type Html, html } from './html.ts'
import { criterionMark, verdictSign } from './verdict-mark.ts'

/** The acceptance matrix on one screen: every criterion, every cell, each a link to its evidence. */
export function overview({ matrix }: Acceptance): Html {
  return html`<section class="overview" aria-labelledby="overview">
<h2 id="overview">Acceptance matrix</h2>
${matrix.families.map(familyTable)}
</section>`
}

function familyTable({ family, criteria }: FamilyResult): Html {
  const cells = criteria.flatMap((criterion) => criterion.cells)
  const passed = cells.filter((cell) => cell.verdict === 'passed').length
  return html`<table>
<caption><strong>${family.title}</strong> ${family.subject}<span class="score">${
    family.status === 'later' && passed === 0 ? 'not built yet' : cellCounts(cells)
  }</span></caption>
<tbody>${criteria.map((each) => criterionRow(each, hasEvidence({ family, criteria })))}</tbody>
</table>`
}

function criterionRow(result: CriterionResult, linked: boolean): Html {
  const { criterion, cells } = result
  const id = linked ? html`<a href="#${criterion.id}">${criterion.id}</a>` : criterion.id
  return html`<tr>
<th scope="row">${id}</th>
<td class="verdict">${criterionMark(result)}</td>
<td><p>${criterion.text}</p><p class="cells">${cells.map((cell) => chip(criterion.id, cell, linked))}</p></td>
</tr>`
}

function chip(id: string, { name, verdict, reason }: CellResult, linked: boolean): Html {
  const title = explained({ verdict, ...(reason && { reason }) })
  const label = name === 'computed' && reason ? shortened(reason, 90) : name
  const content = html`${verdictSign(verdict)}${label}`
  if (!linked) return html`<span class="chip ${verdict}" title="${title}">${content}</span> `
  return html`<a class="chip ${verdict}" href="#${id}.${name}" title="${title}">${content}</a> `
}
