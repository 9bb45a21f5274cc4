import { type Json, LosslessNumber, mapStrings } from '../exact-json.ts'
import { valueAt } from '../json-path.ts'
import type { Answer, Headers, StepResult, WatchAnswer } from '../replay/answer.ts'
import { fillIn } from '../replay/variables.ts'
import type { ExpectedAnswer, ParallelStep, RequestStep, Step, Vector } from '../vector.ts'
import { type Difference, differences, show } from './difference.ts'
import { alignDiscovery } from './discovery.ts'
import { withoutIncomparable } from './leniency.ts'
import { literalsOf } from './literals.ts'
import { type Literals, type Marked, markUp } from './marks.ts'
import { Numbering } from './numbering.ts'

/** One difference between a recording and what a server answered. */
export interface Failure {
  readonly name: string
  /** Index in the vector's steps. */
  readonly step: number
  /** In `{status, headers, body}`, `{status, events}` or `{statusCounts, errorBodies}`. */
  readonly path: string
  readonly expected: string
  readonly found: string
}

/** Compares the transcript of a vector with what was recorded; no failure means that it passed. */
export function judge(vector: Vector, results: readonly StepResult[]): Failure[] {
  const findings = new Findings(vector, results)
  return results.flatMap((result, step) => {
    if (result.kind === 'failed')
      return [{ name: vector.name, step, path: '$', expected: result.expected, found: result.found }]
    return findings.compare(step, expectedOf(vector.steps[step])).map(({ path, expected, found }) => ({
      name: vector.name,
      step,
      path,
      expected: show(expected),
      found: show(found),
    }))
  })
}

/** What a server answered to a vector, normalised over all its steps. */
export class Findings {
  readonly #found: readonly Json[]

  constructor(vector: Vector, results: readonly StepResult[]) {
    const literals = literalsOf(vector)
    const marked = results.map((result, index) => foundOf(vector.steps[index], result, literals))
    const numbering = new Numbering(marked)
    this.#found = marked.map((answer) => numbering.render(answer))
  }

  /** Where the answer of a step parts from an expected one. */
  compare(step: number, expected: Json): Difference[] {
    return differences(...comparable(expected, this.of(step)))
  }

  of(step: number): Json {
    return this.#found[step] ?? null
  }
}

function comparable(expected: Json, found: Json): readonly [Json, Json] {
  const [one, other] = [withoutIncomparable(expected), withoutIncomparable(found)] as { body?: Json }[]
  if (one?.body === undefined || other?.body === undefined) return [one as Json, other as Json]
  const [expectedBody, foundBody] = alignDiscovery(one.body, other.body)
  return [
    { ...one, body: expectedBody },
    { ...other, body: foundBody },
  ]
}

/** What a step expects, in the form that Findings has; null where it expects nothing. */
export function expectedOf(step: Step | undefined): Json {
  if (step === undefined || !('expect' in step)) return null
  return mapStrings(step.expect as unknown as Json, (text) =>
    text.includes('${repeat:') ? fillIn(text, {}) : text,
  )
}

function foundOf(step: Step | undefined, result: StepResult, literals: Literals): Marked {
  if (step === undefined) return null
  if (result.kind === 'parallel' && 'parallel' in step) return foundInParallel(step, result.answers, literals)
  if (result.kind === 'answer' && 'method' in step) return foundInAnswer(step, result.answer, literals)
  return null
}

function foundInParallel(step: ParallelStep, answers: readonly Answer[], literals: Literals): Marked {
  const counts: Record<string, Marked> = {}
  const bodies: Record<string, Marked> = {}
  for (const { status, body } of answers) {
    counts[status] = new LosslessNumber(String(Number(counts[status] ?? 0) + 1))
    if (status >= 400) bodies[status] ??= markUp(body, literals)
  }
  return { statusCounts: counts, ...(step.expect.errorBodies && { errorBodies: bodies }) }
}

/** Only what the recording holds too. */
function foundInAnswer(step: RequestStep, answer: WatchAnswer, literals: Literals): Marked {
  const status = new LosslessNumber(String(answer.status))
  if (step.record === false) return { status }
  const headers = recordedHeaders(answer.headers)
  return {
    status,
    ...((Object.keys(headers).length > 0 || step.expect.headers) && { headers }),
    ...(answer.events === undefined
      ? bodyOf(step, answer, literals)
      : { events: eventsOf(step, answer, literals) }),
  }
}

function bodyOf(step: RequestStep, answer: Answer, literals: Literals): { body?: Marked } {
  if (!('body' in (step.expect satisfies ExpectedAnswer)) && !step.watch) return {}
  const body = markUp(answer.body, literals)
  if (!step.pick) return { body }
  return {
    body: Object.fromEntries(step.pick.map((path) => [path, (valueAt(body, path) ?? null) as Marked])),
  }
}

/** Several bookmarks in a row count as one. */
function eventsOf(step: RequestStep, answer: WatchAnswer, literals: Literals): Marked[] {
  const events = answer.events ?? []
  const typeOf = (event: Json | undefined): unknown => valueAt(event, '$.type')
  const kept = events.filter(
    (event, index) =>
      !step.keepBookmarks || typeOf(event) !== 'BOOKMARK' || typeOf(events[index + 1]) !== 'BOOKMARK',
  )
  return kept.map((event) => markUp(event, literals))
}

function recordedHeaders(headers: Headers): Record<string, Marked> {
  const recorded: Record<string, Marked> = {}
  const [type] = headers['content-type'] ?? []
  if (type !== undefined && type !== 'application/json') recorded['Content-Type'] = type
  if (headers.warning) recorded.Warning = [...headers.warning]
  if (headers['retry-after']) recorded['Retry-After'] = headers['retry-after'].join(', ')
  return recorded
}
