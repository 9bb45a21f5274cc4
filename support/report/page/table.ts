import { type Html, html } from './html.ts'

/** A table whose first row names its columns. */
export function tableView(rows: readonly (readonly string[])[]): Html {
  const [head = [], ...body] = rows
  return html`<div class="scroll"><table class="data">
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${body.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`
}

/** Plain records as rows, the columns in the order they first appear. Undefined where the value is no such list. */
export function recordsAsRows(value: unknown): string[][] | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isFlatRecord)) return undefined
  const columns = [...new Set(value.flatMap((record) => Object.keys(record)))]
  return [columns, ...value.map((record) => columns.map((column) => display(record[column])))]
}

function isFlatRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((each) => typeof each !== 'object' || each === null)
}

function display(value: unknown): string {
  return value === undefined || value === null ? '' : String(value)
}
