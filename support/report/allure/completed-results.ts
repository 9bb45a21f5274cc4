import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { readFamilies } from '../criteria.ts'
import { ERROR_MEDIA_TYPE, SKIP_MEDIA_TYPE } from '../media-types.ts'
import { fileUnderCriteria } from './labels.ts'
import type { AllureAttachment, AllureContainer, AllureResult, AllureStep } from './result.ts'
import { ResultsWriter } from './results-writer.ts'

/**
 * Completes what the reporter says before it is written, so that any Allure shows it filed under the acceptance list,
 * with reasons for what was skipped. Doing it afterwards would read and write every file again.
 */
export class CompletedResults extends ResultsWriter {
  readonly #folder: string
  readonly #families = readFamilies()
  /** Attachments that say the same, such as the table of a background, are one file: name by what is in it. */
  readonly #files = new Map<string, string>()
  readonly #sameAs = new Map<string, string>()
  /** Skipped results, whose hooks tell why and are written after them. */
  readonly #skipped = new Map<string, AllureResult>()
  /** Scenarios of which a try did not pass. */
  readonly #tried = new Set<string>()

  constructor(folder: string) {
    super(folder)
    this.#folder = folder
  }

  override writeAttachment(name: string, content: Buffer): void {
    const key = `${createHash('sha1').update(content).digest('base64')}${extname(name)}`
    const same = this.#files.get(key)
    if (same !== undefined) {
      this.#sameAs.set(name, same)
      return
    }
    this.#files.set(key, name)
    super.writeAttachment(name, content)
  }

  override writeResult(result: AllureResult): void {
    fileUnderCriteria(result, this.#families)
    // A step says so in the result itself.
    const reason = this.#skipReason([result])
    this.#completeAttachments(result)
    explainUndefinedSteps(result)
    if (result.status === 'skipped') {
      explainSkip(result, reason)
      this.#skipped.set(result.uuid, result)
    }
    this.#markFlaky(result)
    super.writeResult(result)
  }

  override writeGroup(group: AllureContainer & { readonly uuid: string }): void {
    const hooks = [...(group.befores ?? []), ...(group.afters ?? [])]
    const reason = this.#skipReason(hooks)
    for (const hook of hooks) this.#completeAttachments(hook)
    super.writeGroup(group)
    if (reason === undefined) return
    for (const skipped of (group.children ?? []).flatMap((uuid) => this.#skipped.get(uuid) ?? [])) {
      explainSkip(skipped, reason)
      super.writeResult(skipped)
    }
  }

  #markFlaky(result: AllureResult): void {
    const scenario = result.historyId ?? result.uuid
    if (result.status !== 'passed') this.#tried.add(scenario)
    else if (this.#tried.has(scenario)) result.statusDetails = { ...result.statusDetails, flaky: true }
  }

  #completeAttachments(step: AllureStep): void {
    for (const attachment of attachmentsIn(step)) {
      attachment.source = this.#sameAs.get(attachment.source) ?? attachment.source
      // Allure offers media types that it doesn't know for download only.
      attachment.type = SHOWN_AS[attachment.type ?? ''] ?? attachment.type ?? 'text/plain'
    }
  }

  #skipReason(steps: readonly AllureStep[]): string | undefined {
    const left = steps.flatMap(attachmentsIn).find(({ type }) => type === SKIP_MEDIA_TYPE)
    if (!left) return undefined
    return readFileSync(join(this.#folder, this.#sameAs.get(left.source) ?? left.source), 'utf8')
  }
}

const SHOWN_AS: Readonly<Record<string, string>> = {
  [SKIP_MEDIA_TYPE]: 'text/plain',
  [ERROR_MEDIA_TYPE]: 'application/json',
}

function attachmentsIn({ attachments = [], steps = [] }: AllureStep): AllureAttachment[] {
  return [...attachments, ...steps.flatMap(attachmentsIn)]
}

function explainSkip(result: AllureResult, reason: string | undefined): void {
  if (reason !== undefined) result.statusDetails = { ...result.statusDetails, message: reason }
}

/** The reporter gives an undefined step no status, and then counts its scenario as passed. */
function explainUndefinedSteps(result: AllureResult): void {
  const unknown = result.steps?.filter((step) => step.status === undefined) ?? []
  if (unknown.length === 0) return
  for (const step of unknown) step.status = 'broken'
  result.status = 'broken'
  result.statusDetails = { message: `No step definition: ${unknown.map((step) => step.name).join('; ')}` }
}
