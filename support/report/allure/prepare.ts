import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunContext } from '../../run-context.ts'
import { readFamilies } from '../criteria.ts'
import { ERROR_MEDIA_TYPE, SKIP_MEDIA_TYPE } from '../media-types.ts'
import { REPORTER_OUTPUT } from './cucumber-options.ts'
import { fileUnderCriteria } from './labels.ts'
import { writeRunMetadata } from './metadata.ts'
import type { AllureAttachment, AllureContainer, AllureResult, AllureStep } from './result.ts'

/**
 * Completes what the reporter left, so that any Allure shows it filed under the acceptance list, with reasons for what
 * was skipped and where it all ran.
 */
export async function prepareResults(folder: string, context: RunContext): Promise<void> {
  const names = await readdir(folder)
  const families = readFamilies()
  await rm(join(folder, REPORTER_OUTPUT), { force: true })
  const reasons = new Map<string, string>()
  for (const name of names.filter((each) => each.endsWith('-container.json'))) {
    await rewrite<AllureContainer>(join(folder, name), async (container) => {
      const hooks = [...(container.befores ?? []), ...(container.afters ?? [])]
      const reason = await skipReason(folder, hooks)
      if (reason) for (const child of container.children ?? []) reasons.set(child, reason)
      for (const hook of hooks) showAsText(hook)
    })
  }
  const results = names.filter((each) => each.endsWith('-result.json')).map((each) => join(folder, each))
  const flaky = await findFlaky(results)
  for (const path of results) {
    await rewrite<AllureResult>(path, async (result) => {
      const reason = reasons.get(result.uuid) ?? (await skipReason(folder, [result]))
      fileUnderCriteria(result, families)
      showAsText(result)
      explainStatus(result, reason)
      if (flaky.has(result.uuid)) result.statusDetails = { ...result.statusDetails, flaky: true }
    })
  }
  await writeRunMetadata(folder, context)
}

async function rewrite<T>(path: string, change: (content: T) => void | Promise<void>): Promise<void> {
  const content = parse<T>(await readFile(path, 'utf8'))
  // Half a file, of a run that was killed while writing it: Allure leaves it out.
  if (content === undefined) return
  await change(content)
  await writeFile(path, JSON.stringify(content))
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T
  } catch {
    return undefined
  }
}

async function skipReason(folder: string, hooks: readonly AllureStep[]): Promise<string | undefined> {
  const left = hooks.flatMap(attachmentsIn).find(({ type }) => type === SKIP_MEDIA_TYPE)
  if (!left) return undefined
  return readFile(join(folder, left.source), 'utf8').catch(() => undefined)
}

function attachmentsIn({ attachments = [], steps = [] }: AllureStep): AllureAttachment[] {
  return [...attachments, ...steps.flatMap(attachmentsIn)]
}

const SHOWN_AS: Readonly<Record<string, string>> = {
  [SKIP_MEDIA_TYPE]: 'text/plain',
  [ERROR_MEDIA_TYPE]: 'application/json',
}

/** Allure offers media types that it doesn't know for download only. */
function showAsText(step: AllureStep): void {
  for (const attachment of attachmentsIn(step)) {
    attachment.type = SHOWN_AS[attachment.type ?? ''] ?? attachment.type ?? 'text/plain'
  }
}

/** The reporter gives an undefined step no status, and then counts its scenario as passed. */
function explainStatus(result: AllureResult, reason: string | undefined): void {
  if (result.status === 'skipped' && reason)
    result.statusDetails = { ...result.statusDetails, message: reason }
  const unknown = result.steps?.filter((step) => step.status === undefined) ?? []
  if (unknown.length === 0) return
  for (const step of unknown) step.status = 'broken'
  result.status = 'broken'
  result.statusDetails = { message: `No step definition: ${unknown.map((step) => step.name).join('; ')}` }
}

/** Tries that passed after an earlier try of the same scenario did not. */
async function findFlaky(paths: readonly string[]): Promise<ReadonlySet<string>> {
  const read = await Promise.all(paths.map(async (path) => parse<AllureResult>(await readFile(path, 'utf8'))))
  const tries = Map.groupBy(
    read.filter((result) => result !== undefined),
    (result) => result.historyId ?? result.uuid,
  )
  const flaky = [...tries.values()].flatMap((results) => {
    const last = results.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0)).at(-1)
    const passedLate = last?.status === 'passed' && results.some((result) => result.status !== 'passed')
    return passedLate ? [last.uuid] : []
  })
  return new Set(flaky)
}
