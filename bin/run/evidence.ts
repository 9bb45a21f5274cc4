import { existsSync } from 'node:fs'
import { writeAcceptance } from '../../support/report/acceptance.ts'
import type { AcceptanceSummary } from '../../support/report/summary.ts'
import type { RunContext } from '../../support/run-context.ts'
import { reportPaths } from './reports.ts'

export interface Evidence {
  readonly summary: AcceptanceSummary
  /** Report pages that exist, the most telling first. */
  readonly pages: readonly string[]
  /** Why a page is missing, and how to get it. */
  readonly notes: readonly string[]
}

/** Writes the reports of the run that just ended, the verdict first: it must not wait for a page. */
export async function writeEvidence(request: {
  readonly context: RunContext
  readonly interrupted: boolean
  readonly require: readonly string[]
}): Promise<Evidence> {
  const { reports } = request.context
  const paths = reportPaths(reports)
  const summary = await writeAcceptance({ ...request, reports, messages: paths.messages })
  return { summary, pages: [paths.acceptancePage].filter(existsSync), notes: [] }
}
