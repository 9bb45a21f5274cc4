import { setInterval } from 'node:timers/promises'
import { PoolwrightError } from '../contract/errors.ts'
import type { Options } from '../contract/implementation.ts'
import type { PoolEntry } from '../contract/pool.ts'
import type { ByohContext, Every } from './byoh-context.ts'
import { openPool } from './pool.ts'

/** Often enough for any limit by which leases are reclaimed in earnest. */
const RENEW_EVERY_MS = 60_000

export interface Leases {
  readonly testId: string
  readonly hosts: readonly PoolEntry[]
  readonly options: Options
  /** What a lease that is lost does to the work. */
  readonly loss: 'ends the work' | 'changes nothing'
}

/**
 * Keeps leases young while something takes long. Where a loss ends the work, the signal of the context that it was given
 * cuts it short, and the error that says who has the host now takes the place of whatever the work then throws, unless
 * the caller has given up. A renewal that the pool refuses otherwise is tried again the next time. Whatever of the work is still
 * under way when it fails ends by that signal too.
 */
export async function whileRenewing<T>(
  context: ByohContext,
  leases: Leases,
  work: (context: ByohContext) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const lost = new AbortController()
  const signal = AbortSignal.any([context.signal, over.signal])
  const renewals = renewAll({ ...context, signal }, leases, (error) => {
    if (leases.loss === 'ends the work') lost.abort(error)
  }).catch((error: unknown) => lost.abort(error))
  try {
    return await work({ ...context, signal: AbortSignal.any([signal, lost.signal]) })
  } catch (error) {
    throw lost.signal.aborted && !context.signal.aborted ? lost.signal.reason : error
  } finally {
    over.abort()
    await renewals
  }
}

/** Until the context's signal ends it. */
async function renewAll(
  context: ByohContext,
  { testId, hosts, options }: Leases,
  onLost: (error: PoolwrightError) => void,
): Promise<void> {
  const { every = everyInterval, signal } = context
  const kept = new Set(hosts)
  for await (const _ of every(RENEW_EVERY_MS, signal))
    for (const host of kept) {
      const error = await renewOne(context, testId, host, options)
      if (!error || !LOST.has(error.code)) continue
      kept.delete(host)
      onLost(error)
    }
}

async function renewOne(
  context: ByohContext,
  testId: string,
  { address, allocatedAt = '' }: PoolEntry,
  options: Options,
): Promise<PoolwrightError | undefined> {
  try {
    await openPool(context).renew({ ...options, address, testId, allocatedAt })
    return undefined
  } catch (error) {
    if (!(error instanceof PoolwrightError)) throw error
    if (context.signal.aborted) return undefined
    context.journal.record('warn', {
      operation: 'renew',
      decision: LOST.has(error.code) ? 'the lease is lost' : 'renew it later',
      reason: error.message,
      testId,
      address,
    })
    return error
  }
}

/** After these there is nothing left to renew. */
const LOST: ReadonlySet<string> = new Set(['NotTheHolder', 'EntryMissing', 'PoolMissing', 'NamespaceMissing'])

const everyInterval: Every = async function* (milliseconds, signal) {
  try {
    yield* setInterval(milliseconds, undefined, { signal, ref: false })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
