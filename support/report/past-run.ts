import { readFile } from 'node:fs/promises'
import type { Envelope } from '@cucumber/messages'
import { UsageError } from '../../src/contract/errors.ts'
import type { RunContext } from '../run-context.ts'
import { INTERRUPTED, SKIP_MEDIA_TYPE } from './media-types.ts'
import { readMessageStream } from './message-stream.ts'

/** What a run left for pages to be made from again. */
export interface PastRun {
  readonly context: RunContext
  /** It was ended early, as far as it tells. */
  readonly interrupted: boolean
}

export interface PastRunFiles {
  /** Path of the run's context, run.json. */
  readonly context: string
  /** Path of Cucumber's messages. */
  readonly messages: string
}

const CONTEXT = 'the run.json of a run'
const MESSAGES = 'the messages of Cucumber, one JSON object a line'

/**
 * Reads it, and throws a UsageError for files that are damaged: pages made from them would show less than what ran. With
 * `partial` messages may end early, as those of a run that was killed do.
 */
export async function readPastRun(files: PastRunFiles, { partial }: { partial: boolean }): Promise<PastRun> {
  const context = await readContext(files.context)
  const envelopes = await readMessages(files.messages, partial)
  return {
    context,
    interrupted: !envelopes.some((each) => each.testRunFinished) || saysInterrupted(envelopes),
  }
}

async function readContext(path: string): Promise<RunContext> {
  const context = parse(await contentOf(path, CONTEXT)) as Partial<RunContext> | null | undefined
  if (context === undefined) throw refusal(path, CONTEXT, 'found no JSON')
  for (const field of ['runId', 'startedAt', 'rung', 'version'] as const)
    if (typeof context?.[field] !== 'string') throw refusal(path, CONTEXT, `found no ${field} in it`)
  for (const field of ['standIns', 'kubeconfigs'] as const)
    if (!Array.isArray(context?.[field])) throw refusal(path, CONTEXT, `found no ${field} in it`)
  return context as RunContext
}

async function readMessages(path: string, partial: boolean): Promise<readonly Envelope[]> {
  const content = (await contentOf(path, MESSAGES)).trimEnd()
  const { envelopes, unreadable } = readMessageStream(path)
  const last = content.split('\n').length
  const broken = unreadable.find((line) => line < last || envelopes.length === 0)
  if (broken !== undefined) throw refusal(path, MESSAGES, `line ${broken} is no JSON object`)
  const [first] = envelopes
  if (first && !first.meta) throw refusal(path, `meta of Cucumber in line 1`, `found ${keysOf(first)} first`)
  refuseGaps(path, envelopes)
  if (partial || (envelopes.at(-1)?.testRunFinished && unreadable.length === 0)) return envelopes
  const end =
    unreadable.length > 0 ? `half a line at the end, line ${last}` : `${keysOf(envelopes.at(-1))} last`
  const cut = 'the file is cut; where the run itself was, add --partial to see what there is'
  throw refusal(path, 'testRunFinished as the last of Cucumber’s messages', `found ${end}: ${cut}`)
}

/** A line that is gone takes its scenario off the page, and nobody would see. */
function refuseGaps(path: string, envelopes: readonly Envelope[]): void {
  const known = new Set<string>()
  for (const [index, { pickle, testCase, testCaseStarted, testCaseFinished }] of envelopes.entries()) {
    const [what, id] = testCase
      ? ['a scenario', testCase.pickleId]
      : testCaseStarted
        ? ['a test case', testCaseStarted.testCaseId]
        : ['a try', testCaseFinished?.testCaseStartedId]
    if (id !== undefined && !known.has(id))
      throw refusal(path, MESSAGES, `line ${index + 1} speaks of ${what} that no line before it describes`)
    for (const each of [pickle, testCase, testCaseStarted]) if (each) known.add(each.id)
  }
}

function saysInterrupted(envelopes: readonly Envelope[]): boolean {
  return envelopes.some(
    ({ attachment }) => attachment?.mediaType === SKIP_MEDIA_TYPE && attachment.body.startsWith(INTERRUPTED),
  )
}

async function contentOf(path: string, expected: string): Promise<string> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refusal(path, expected, error.code === 'ENOENT' ? 'there is no such file' : error.message)
  })
  if (content.trim() === '') throw refusal(path, expected, 'found an empty file')
  return content
}

function refusal(path: string, expected: string, found: string): UsageError {
  return new UsageError(`${path}: expected ${expected}; ${found}`)
}

function keysOf(envelope: object | undefined): string {
  return `{${Object.keys(envelope ?? {})
    .slice(0, 3)
    .map((key) => JSON.stringify(key.slice(0, 40)))
    .join(', ')}}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
