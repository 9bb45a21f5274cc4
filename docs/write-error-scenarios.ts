/** Writes docs/error-scenarios.md from the contract and the last acceptance run: `npm run error-page`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ERROR_PAGE, type ErrorExample, renderErrorPage } from '../support/error-scenarios.ts'
import { producedErrors } from '../support/report/computed-criteria.ts'
import { readMessageStream } from '../support/report/message-stream.ts'
import { readRunRecord } from '../support/report/run-record.ts'

const messages = fileURLToPath(new URL('../reports/messages.ndjson', import.meta.url))
const run = readRunRecord(readMessageStream(messages).envelopes)

/** Of several scenarios the first in the order of the files, so that the page changes only when the suite does. */
const examples = new Map<string, ErrorExample>()
for (const scenario of run.scenarios.toSorted((a, b) => a.uri.localeCompare(b.uri) || a.line - b.line))
  for (const { code, message } of producedErrors({ ...run, scenarios: [scenario] }))
    if (!examples.has(code)) examples.set(code, { message, scenario: scenario.name, feature: scenario.uri })

writeFileSync(ERROR_PAGE, renderErrorPage(examples))
process.stdout.write(`${examples.size} errors with an example from ${run.scenarios.length} scenarios\n`)
