import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Acceptance } from '../acceptance.ts'
import { attention } from './attention.ts'
import { evidence } from './evidence.ts'
import { header } from './header.ts'
import { headline } from './headline.ts'
import { html, raw } from './html.ts'
import { overview } from './overview.ts'
import { SCRIPT } from './script.ts'

const STYLE = readFileSync(new URL('page.css', import.meta.url), 'utf8')

// Nothing but our own style and script, by their sums, and pictures that are part of the page itself.
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${sum(STYLE)}'`,
  `script-src 'sha256-${sum(SCRIPT)}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The whole report as one page that needs nothing beside it and loads nothing. */
export function acceptancePage(acceptance: Acceptance): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${headline(acceptance).title}: Poolwright acceptance report</title>
<style>${raw(STYLE)}</style>
</head>
<body>
${header(acceptance)}
<main>
${attention(acceptance)}
${overview(acceptance)}
${evidence(acceptance)}
</main>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`.text
}

function sum(content: string): string {
  return createHash('sha256').update(content).digest('base64')
}
