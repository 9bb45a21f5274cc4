import { setTimeout as sleep } from 'node:timers/promises'
import { type Json, printExact } from '../exact-json.ts'
import { valueAt } from '../json-path.ts'
import type { RequestStep, Step, Vector, VectorRequest } from '../vector.ts'
import type { Answer, StepResult } from './answer.ts'
import { allHold } from './conditions.ts'
import type { Target } from './target.ts'
import { fillIn, fillInBody, type Variables } from './variables.ts'
import { watch } from './watch.ts'

export interface PerformOptions {
  readonly target: Target
  readonly signal: AbortSignal
  /** Makes the server forget its history up to now; absent where nobody can ask it to. */
  readonly compact?: (() => Promise<void>) | undefined
  /** Milliseconds for an `until` that names no limit of its own. */
  readonly untilLimitMs: number
  readonly saw: (request: VectorRequest, answer: Answer) => void
}

const UNTIL_PAUSE_MS = 50

/** Makes a vector's requests one after the other and keeps what came back; ends early at a step that failed. */
export async function perform(vector: Vector, options: PerformOptions): Promise<readonly StepResult[]> {
  const variables: Record<string, string> = {}
  const results: StepResult[] = []
  for (const step of vector.steps) {
    const result = await attempt(step, variables, options)
    results.push(result)
    if (result.kind === 'failed') break
  }
  return results
}

async function attempt(
  step: Step,
  variables: Record<string, string>,
  options: PerformOptions,
): Promise<StepResult> {
  try {
    return await performStep(step, variables, options)
  } catch (error) {
    options.signal.throwIfAborted()
    return { kind: 'failed', expected: 'an answer', found: (error as Error).message }
  }
}

async function performStep(
  step: Step,
  variables: Record<string, string>,
  options: PerformOptions,
): Promise<StepResult> {
  if ('sleep' in step) {
    await sleep(Number(step.sleep) * 1000, undefined, { signal: options.signal })
    return { kind: 'nothing' }
  }
  if ('compact' in step) {
    if (!options.compact) throw new Error('nobody can ask this server to forget its history')
    await options.compact()
    return { kind: 'nothing' }
  }
  if ('parallel' in step) {
    const sent = step.parallel.map((request) => send(request, variables, options))
    return { kind: 'parallel', answers: await Promise.all(sent) }
  }
  const answer = step.watch
    ? await performWatch(step, variables, options)
    : await sendUntil(step, variables, options)
  if ('kind' in answer) return answer
  Object.assign(variables, captured(step, answer))
  return { kind: 'answer', answer }
}

async function performWatch(step: RequestStep, variables: Variables, options: PerformOptions) {
  const during = async (): Promise<void> => {
    for (const request of step.during ?? []) await send(request, variables, options)
  }
  return await watch(filledIn(step, variables), step, {
    target: options.target,
    signal: options.signal,
    during,
  })
}

async function sendUntil(
  step: RequestStep,
  variables: Variables,
  options: PerformOptions,
): Promise<Answer | StepResult> {
  const limit = step.timeoutSeconds === undefined ? options.untilLimitMs : Number(step.timeoutSeconds) * 1000
  const deadline = performance.now() + limit
  for (;;) {
    const answer = await send(step, variables, options)
    if (step.until === undefined || allHold(step.until, answer)) return answer
    if (performance.now() > deadline)
      return {
        kind: 'failed',
        expected: `until ${printExact(step.until)}`,
        found: `after ${limit} ms still ${answer.status} ${printExact(answer.body)}`,
      }
    await sleep(UNTIL_PAUSE_MS, undefined, { signal: options.signal })
  }
}

async function send(request: VectorRequest, variables: Variables, options: PerformOptions): Promise<Answer> {
  const filled = filledIn(request, variables)
  const answer = await options.target.request(filled, options.signal)
  options.saw(filled, answer)
  return answer
}

function filledIn({ method, path, headers, body, auth }: VectorRequest, variables: Variables): VectorRequest {
  return {
    method,
    path: fillIn(path, variables),
    ...(headers && { headers }),
    ...(body !== undefined && { body: fillInBody(body, variables) }),
    ...(auth !== undefined && { auth: fillIn(auth, variables) }),
  }
}

function captured(step: RequestStep, answer: Answer): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, path] of Object.entries(step.capture ?? {})) {
    const value = valueAt(answer.body, path)
    if (value !== undefined) values[name] = typeof value === 'string' ? value : printExact(value as Json)
  }
  return values
}
