import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorScenarioGaps } from '../error-scenarios.ts'
import type { RunContext } from '../run-context.ts'
import { acceptanceJson } from './acceptance-json.ts'
import { producedErrors } from './computed-criteria.ts'
import { readFamilies } from './criteria.ts'
import { leftOutScenarios } from './left-out.ts'
import { buildMatrix, type Matrix } from './matrix.ts'
import { readMessageStream } from './message-stream.ts'
import type { RunRecord } from './model.ts'
import { acceptancePage } from './page/document.ts'
import { unmetRequirements } from './requirements.ts'
import { readRunRecord } from './run-record.ts'
import { type AcceptanceSummary, summarise } from './summary.ts'

export interface AcceptanceRequest {
  /** Path of Cucumber's message file; it may be missing, or cut off in the middle of a line. */
  readonly messages: string
  readonly context: RunContext
  /** Folder that acceptance.json and acceptance.html go to. */
  readonly reports: string
  readonly interrupted: boolean
  /** Criteria (`NP-2`) or cells (`NP-2.release`) that must have passed. */
  readonly require: readonly string[]
  /** What failed where Cucumber couldn't see it. */
  readonly failures?: readonly string[]
}

/** All that the acceptance files are made from. */
export interface Acceptance {
  readonly context: RunContext
  readonly run: RunRecord
  readonly matrix: Matrix
  readonly interrupted: boolean
  /** Seconds from the start of the run to the last thing heard of it. */
  readonly seconds: number
  /** Empty where the sources are in no git repository. */
  readonly commit: string
  readonly summary: AcceptanceSummary
}

/**
 * Works out the acceptance matrix from what the run left behind, never from anyone's word, and writes it for machines
 * (acceptance.json) and for people (acceptance.html). Throws UsageError for a required id that doesn't exist.
 */
export async function writeAcceptance(request: AcceptanceRequest): Promise<AcceptanceSummary> {
  const { context, interrupted } = request
  const families = readFamilies()
  const { envelopes, unreadable } = readMessageStream(request.messages)
  const run = readRunRecord(envelopes)
  const leftOut = await leftOutScenarios(context.features, run.scenarios)
  const errorGaps = errorScenarioGaps(producedErrors(run))
  const matrix = buildMatrix(families, run, { interrupted, errorGaps, leftOut })
  const unmet = unmetRequirements(matrix, request.require)
  const summary = summarise({ run, matrix, interrupted, unmet, unreadable, failures: request.failures ?? [] })
  const acceptance: Acceptance = {
    context,
    run,
    matrix,
    interrupted,
    seconds: secondsOf(context, run),
    commit: context.commit ?? '',
    summary,
  }
  await mkdir(request.reports, { recursive: true })
  await replaceFile(join(request.reports, 'acceptance.html'), acceptancePage(acceptance))
  const json = `${JSON.stringify(acceptanceJson(acceptance), null, 2)}\n`
  await replaceFile(join(request.reports, 'acceptance.json'), json)
  return summary
}

function secondsOf(context: RunContext, run: RunRecord): number {
  const from = Date.parse(context.startedAt)
  const to = run.endedAt ? Date.parse(run.endedAt) : Date.now()
  return Math.max(0, Math.round((to - from) / 10) / 100)
}

/** A reader never sees half a file, and a run killed while writing leaves none. */
async function replaceFile(path: string, content: string): Promise<void> {
  const unfinished = `${path}.unfinished`
  await writeFile(unfinished, content)
  await rename(unfinished, path)
}
