import { type Html, html } from './html.ts'

const KINDS: readonly [string, string][] = [
  ['+++', 'file'],
  ['---', 'file'],
  ['@@', 'hunk'],
  ['+', 'added'],
  ['-', 'removed'],
]

/** A unified diff, line by line; the signs stay, so colour is never needed to read it. */
export function diffView(body: string): Html {
  const lines = body
    .trimEnd()
    .split('\n')
    .map((line) => {
      const kind = KINDS.find(([start]) => line.startsWith(start))?.[1]
      return kind ? html`<span class="${kind}">${line}</span>` : html`<span>${line}</span>`
    })
  return html`<pre class="diff">${lines}</pre>`
}
