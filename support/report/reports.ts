import { join } from 'node:path'
import type { RunContext } from '../run-context.ts'
import { writeAcceptance } from './acceptance.ts'
import { startAllure } from './allure/generate.ts'
import { findJava } from './allure/java.ts'
import { blotOutLeaks, type Clean } from './leaks.ts'
import { readSecrets, type Secret } from './secrets.ts'
import type { AcceptanceSummary } from './summary.ts'

export interface ReportsRequest {
  readonly context: RunContext
  readonly interrupted: boolean
  /** Criteria (`NP-2`) or cells (`NP-2.release`) that must have passed. */
  readonly require: readonly string[]
  /** What failed outside any scenario and where Cucumber couldn't see it. */
  readonly failures?: readonly string[]
  /** What must not be in them; read from the context's kubeconfigs unless those may be gone by now. */
  readonly secrets?: readonly Secret[]
  /** False where nobody asked for Allure: then its absence is nothing to mention. */
  readonly allure?: boolean
  readonly signal?: AbortSignal
}

export interface Reports {
  readonly summary: AcceptanceSummary
  /** Absolute, the most telling first. */
  readonly pages: readonly string[]
  /** What else a person must know, such as why there is no Allure page. */
  readonly notes: readonly string[]
}

/** Everything a run leaves for its readers, made from what Cucumber wrote into the reports folder. */
export async function writeReports({
  context,
  signal,
  allure: wanted = true,
  failures = [],
  secrets: known,
  ...asked
}: ReportsRequest): Promise<Reports> {
  const { reports } = context
  const java = wanted ? findJava() : undefined
  const secrets = known ?? (await readSecrets(context.kubeconfigs))
  const clean: Clean = new Map()
  const leaks = blotOutLeaks(reports, secrets, clean)
  const messages = join(reports, 'messages.ndjson')
  const started = java && (await startAllure({ context, reports, java, ...(signal && { signal }) }))
  const [summary, allure] = await Promise.all([
    writeAcceptance({ messages, context, reports, ...asked, failures: [...failures, ...leaks] }),
    started?.outcome,
  ])
  // Nothing new can be in what was made from clean files; that is exactly why it is looked at.
  const late = blotOutLeaks(reports, secrets, clean)
  const problems = [...summary.problems, ...late]
  return {
    summary: { ...summary, problems, ...(late.length > 0 && { verdict: 'failed' as const }) },
    pages: [join(reports, 'acceptance.html'), ...(allure?.page ? [allure.page] : [])],
    notes: allure?.note === undefined ? [] : [allure.note],
  }
}
