import { type Failure, judge } from '../compare/judge.ts'
import type { Category } from '../load-vectors.ts'
import { laterReason } from '../scope/scope.ts'
import type { ServerSettings, Vector } from '../vector.ts'
import type { StepResult } from './answer.ts'
import { perform } from './perform.ts'
import { Scratch } from './scratch.ts'
import type { Server, ServerSource } from './server.ts'

/** What became of one vector. `later` says why it is not for this storey; it may have passed all the same. */
export interface Outcome {
  readonly family: string
  readonly category: string
  readonly vector: Vector
  readonly later?: string
  /** Absent where the vector was not replayed. */
  readonly failures?: readonly Failure[]
  readonly results?: readonly StepResult[]
}

export interface ReplayOptions {
  readonly source: ServerSource
  readonly signal: AbortSignal
  /** Also those that are for later, after the others. */
  readonly later: boolean
  readonly progress: (outcome: Outcome) => void
}

const AT_ONCE = 6
const UNTIL_LIMIT_MS = 30_000
/** Where nothing promises that it will come, nobody waits long. */
const LATER_UNTIL_LIMIT_MS = 2_000

/** Replays all vectors of the categories that can be replayed, several at once; answers in their order. */
export async function replay(categories: readonly Category[], options: ReplayOptions): Promise<Outcome[]> {
  const planned = categories.flatMap(({ family, category, vectors }) =>
    vectors.map((vector) => plan(family, category, vector)),
  )
  const done = new Map<Outcome, Outcome>()
  for (const batch of batches(planned, options.later)) {
    const server = await options.source.start(batch.settings, options.signal)
    try {
      await replayBatch(batch.outcomes, server, options, done)
    } finally {
      await server.stop()
    }
  }
  return planned.map((outcome) => done.get(outcome) ?? outcome)
}

function plan(family: string, category: string, vector: Vector): Outcome {
  const later = laterReason(family, category, vector)
  return { family, category, vector, ...(later !== undefined && { later }) }
}

function compacts(vector: Vector): boolean {
  return vector.steps.some((step) => 'compact' in step)
}

interface Batch {
  readonly settings: ServerSettings
  readonly outcomes: readonly Outcome[]
}

/**
 * One server for each settings, and for what makes it forget its history, which would disturb the others; what is for later
 * comes behind everything else.
 */
function batches(planned: readonly Outcome[], later: boolean): Batch[] {
  const groups = new Map<string, Outcome[]>()
  for (const outcome of planned) {
    if (outcome.family !== 'api' || (outcome.later !== undefined && !later)) continue
    const key = JSON.stringify([
      outcome.later !== undefined,
      compacts(outcome.vector),
      outcome.vector.server ?? {},
    ])
    groups.set(key, [...(groups.get(key) ?? []), outcome])
  }
  const ordered = [...groups].sort(([one], [other]) => (one < other ? -1 : 1))
  return ordered.map(([, outcomes]) => ({ settings: outcomes[0]?.vector.server ?? {}, outcomes }))
}

async function replayBatch(
  outcomes: readonly Outcome[],
  server: Server,
  options: ReplayOptions,
  done: Map<Outcome, Outcome>,
): Promise<void> {
  const waiting = [...outcomes]
  const left: Scratch[] = []
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const scratch = new Scratch(server.target, next.vector, options.signal)
      const outcome = await replayOne(next, server, scratch, options.signal)
      done.set(next, outcome)
      left.push(scratch)
      options.progress(outcome)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (server.borrowed) await Promise.all(left.map((scratch) => scratch.gone()))
}

async function replayOne(
  planned: Outcome,
  server: Server,
  scratch: Scratch,
  signal: AbortSignal,
): Promise<Outcome> {
  const { vector } = planned
  if (server.compact === undefined && compacts(vector))
    return { ...planned, later: 'nobody can ask this server to forget its history' }
  const failed = (error: unknown): Outcome => {
    signal.throwIfAborted()
    const found = (error as Error).message
    return {
      ...planned,
      failures: [{ name: vector.name, step: 0, path: '$', expected: 'a namespace', found }],
    }
  }
  try {
    await scratch.setUp()
  } catch (error) {
    return failed(error)
  }
  const results = await perform(vector, {
    target: server.target,
    signal,
    compact: server.compact,
    untilLimitMs: planned.later === undefined || server.borrowed ? UNTIL_LIMIT_MS : LATER_UNTIL_LIMIT_MS,
    saw: scratch.saw,
  })
  await scratch.tearDown()
  return { ...planned, results, failures: judge(vector, results) }
}
