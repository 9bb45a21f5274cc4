import { ApiFailure } from '../api/api-failure.ts'
import { configMaps, NAMESPACES } from '../api/resource-path.ts'
import { PoolwrightError } from '../contract/errors.ts'
import type { Options } from '../contract/implementation.ts'
import type { ConfigMap } from '../contract/kubernetes.ts'
import type { PoolEntry } from '../contract/pool.ts'
import type { Change } from './change.ts'
import type { EntryResult, PoolContext } from './pool.ts'
import { type PoolView, viewPool } from './pool-view.ts'
import { demandOneOf } from './request-checks.ts'
import { retry } from './retry.ts'
import { checkPolicy } from './retry-policy.ts'
import { demandRoom } from './size-limit.ts'
import { LOCK_STRATEGIES, strategyFor, type Written } from './write.ts'

/** Writes that clear the way within one attempt; other writers could otherwise keep it busy for ever. */
const MOST_WRITES = 1_000

/** What an operation makes of the pool it sees; refusals are thrown as PoolwrightError. */
export type Decision =
  /** The effect is there already. */
  | { readonly kind: 'nothing'; readonly entry?: PoolEntry; readonly why: string }
  /** This write ends the operation. */
  | { readonly kind: 'write'; readonly change: Change; readonly why: string }
  /** This write clears the way; the operation is then decided again. */
  | { readonly kind: 'first'; readonly change: Change; readonly why: string }

/** What this operation has already done, for deciding again after a conflict or a lost answer. */
export interface History {
  /** A write whose answer never arrived: it may have taken effect, and may still do so. */
  readonly unanswered?: Change
  /** A write that took effect and needs a second look. */
  readonly written?: Change
}

export interface Operation {
  readonly name: string
  readonly options: Options
  readonly testId?: string | undefined
  readonly address?: string | undefined
  /** Reads what the decision needs beside the ConfigMap, at the same time. */
  readonly readMore?: (signal: AbortSignal) => Promise<void>
  decide(view: PoolView, history: History): Decision
}

/**
 * The one way in which the pool changes: read, decide, write under a guard; on conflict read again and decide again.
 * Throws PoolwrightError only.
 */
export async function readDecideWrite(context: PoolContext, operation: Operation): Promise<EntryResult> {
  const policy = checkPolicy(operation.options.retry)
  demandOneOf('strategy', LOCK_STRATEGIES, operation.options.strategy ?? 'resource-version')
  const history: { unanswered?: Change; written?: Change } = {}
  const seen = new Set<string>()
  let done: Versions | undefined
  return retry(context, operation.name, policy, async (signal, pace) => {
    let result: ConfigMap | undefined
    for (let writes = 0; writes < MOST_WRITES; writes++) {
      const view = await read(context, operation, signal, result)
      pace.saw(view)
      context.journal.record('info', {
        operation: operation.name,
        decision: 'read',
        ...subjectOf(operation, undefined),
        resourceVersion: view.resourceVersion,
        attempt: context.journal.attempts,
      })
      reportMalformed(context, operation, view, seen)
      const decision = decide(operation, view, history)
      report(context, operation, view, decision)
      if (decision.kind === 'nothing') return nothingToWrite(decision, view, history.written && done)
      const { change } = decision
      demandRoom(context, view, change)
      const written = await write(context, operation, view, decision, history, signal)
      done = { before: view.resourceVersion, after: written.resourceVersion }
      result = written.result
      if (decision.kind === 'write' && !result) return { node: change.entry, ...done }
      if (decision.kind === 'write') history.written = change
    }
    throw new ApiFailure('conflict', `${MOST_WRITES} writes did not clear the way`)
  }).catch((error: unknown) => {
    if (history.unanswered && error instanceof PoolwrightError) leftOpen.set(error, history.unanswered)
    throw error
  })
}

const leftOpen = new WeakMap<PoolwrightError, Change>()

/** The write that an operation was left without an answer to when it ended with this error. */
export function unansweredOf(error: PoolwrightError): Change | undefined {
  return leftOpen.get(error)
}

function nothingToWrite(
  { entry }: Extract<Decision, { kind: 'nothing' }>,
  view: PoolView,
  done: Versions | undefined,
): EntryResult {
  return { ...(entry && { node: entry }), ...(done ?? { before: view.resourceVersion, unchanged: true }) }
}

/** resourceVersion decided on, and the one after the write. */
interface Versions {
  readonly before: string
  readonly after: string
}

async function write(
  context: PoolContext,
  operation: Operation,
  view: PoolView,
  { kind, change }: Exclude<Decision, { kind: 'nothing' }>,
  history: { unanswered?: Change; written?: Change },
  signal: AbortSignal,
): Promise<Written> {
  try {
    const written = await strategyFor(operation.options.strategy, change).write(context, view, change, signal)
    delete history.unanswered
    delete history.written
    context.journal.record('info', {
      operation: operation.name,
      decision: 'written',
      ...subjectOf(operation, change.address),
      resourceVersion: written.resourceVersion,
    })
    return written
  } catch (error) {
    const isUnanswered = !(error instanceof ApiFailure) || error.kind === 'transient'
    if (isUnanswered && kind === 'write') history.unanswered = change
    if (!(error instanceof ApiFailure)) throw error
    // Deleted meanwhile: the next read says so in the pool's own words.
    if (error.kind === 'missing') throw new ApiFailure('conflict', error.message, { cause: error })
    throw error
  }
}

/** Reads the pool; what a write has just returned is as good as a read. */
async function read(
  context: PoolContext,
  operation: Operation,
  signal: AbortSignal,
  result: ConfigMap | undefined,
): Promise<PoolView> {
  if (result) return viewPool(result)
  const [configMap] = await Promise.all([readConfigMap(context, signal), operation.readMore?.(signal)])
  return viewPool(configMap)
}

/** Reads the pool's ConfigMap; throws PoolMissing or NamespaceMissing where there is none. */
export async function readConfigMap(context: PoolContext, signal: AbortSignal): Promise<ConfigMap> {
  const { api, namespace, configMap } = context
  try {
    return await api.get<ConfigMap>(configMaps(namespace), configMap, { signal })
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.kind !== 'missing') throw error
    if (await hasNamespace(context, signal))
      throw new PoolwrightError('PoolMissing', `There is no ConfigMap ${namespace}/${configMap}.`, {
        cause: error,
      })
    throw new PoolwrightError(
      'NamespaceMissing',
      `There is no namespace ${namespace}, which should hold ConfigMap ${configMap}.`,
      { cause: error },
    )
  }
}

/** An identity that may not see namespaces is told that the ConfigMap is missing, which is certain. */
async function hasNamespace({ api, namespace }: PoolContext, signal: AbortSignal): Promise<boolean> {
  try {
    await api.get(NAMESPACES, namespace, { signal })
    return true
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    return error.kind !== 'missing'
  }
}

/** An unanswered write that shows in what was read has taken effect: nothing is left to decide. */
function decide(operation: Operation, view: PoolView, history: History): Decision {
  const { unanswered } = history
  if (unanswered && view.textOf(unanswered.address) === unanswered.newText && !unanswered.excludes)
    return {
      kind: 'nothing',
      entry: unanswered.entry,
      why: 'an earlier attempt took effect, although its answer was lost',
    }
  return operation.decide(view, history)
}

function reportMalformed(
  context: PoolContext,
  operation: Operation,
  view: PoolView,
  seen: Set<string>,
): void {
  for (const { address, field, found } of view.malformed) {
    const key = `${address} ${field}`
    if (seen.has(key)) continue
    seen.add(key)
    context.journal.record('warn', {
      operation: operation.name,
      decision: 'set aside',
      reason: `malformed entry: ${field}: ${found}`,
      address,
      resourceVersion: view.resourceVersion,
    })
  }
}

function report(context: PoolContext, operation: Operation, view: PoolView, decision: Decision): void {
  const address = decision.kind === 'nothing' ? decision.entry?.address : decision.change.address
  context.journal.record('info', {
    operation: operation.name,
    decision: decision.kind === 'nothing' ? 'nothing to write' : 'write',
    reason: decision.why,
    ...subjectOf(operation, address),
    resourceVersion: view.resourceVersion,
    attempt: context.journal.attempts,
  })
}

function subjectOf({ testId, address }: Operation, decidedOn: string | undefined) {
  const subject = decidedOn ?? address
  return { ...(testId !== undefined && { testId }), ...(subject !== undefined && { address: subject }) }
}
