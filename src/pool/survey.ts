import { PoolwrightError } from '../contract/errors.ts'
import type { Options } from '../contract/implementation.ts'
import type { PoolListing, PoolStats } from '../contract/pool.ts'
import type { PoolContext } from './pool.ts'
import { type PoolView, viewPool } from './pool-view.ts'
import { readConfigMap } from './read-decide-write.ts'
import { retry } from './retry.ts'
import { checkPolicy } from './retry-policy.ts'

/** Everything in the pool, by address; what is set aside comes with its reason. */
export async function list(context: PoolContext, options: Options = {}): Promise<PoolListing> {
  const view = await look(context, 'list', options.retry)
  return {
    entries: view.entries.toSorted(byAddress),
    malformed: view.malformed
      .map(({ address, field, found }) => ({ address, field, found }))
      .toSorted(byAddress),
  }
}

/** Counts of the pool; one that does not exist is not an error here, but not enabled. */
export async function stats(context: PoolContext): Promise<PoolStats> {
  try {
    return count(await look(context, 'stats'))
  } catch (error) {
    if (error instanceof PoolwrightError && ABSENT.has(error.code)) return NOTHING
    throw error
  }
}

const ABSENT: ReadonlySet<string> = new Set(['PoolMissing', 'NamespaceMissing'])
const NOTHING: PoolStats = {
  enabled: false,
  total: 0,
  available: 0,
  inUse: 0,
  quarantined: 0,
  malformed: 0,
  byPlatform: {},
}

async function look(
  context: PoolContext,
  operation: string,
  policy: Options['retry'] = {},
): Promise<PoolView> {
  const view = await retry(context, operation, checkPolicy(policy), async (signal) =>
    viewPool(await readConfigMap(context, signal)),
  )
  for (const { address, field, found } of view.malformed)
    context.journal.record('warn', {
      operation,
      decision: 'set aside',
      reason: `malformed entry: ${field}: ${found}`,
      address,
      resourceVersion: view.resourceVersion,
    })
  return view
}

function count({ entries, malformed }: PoolView): PoolStats {
  const inState = (status: string) => entries.filter((entry) => entry.status === status).length
  const byPlatform = new Map<string, number>()
  for (const { platform } of entries) byPlatform.set(platform, (byPlatform.get(platform) ?? 0) + 1)
  return {
    enabled: true,
    total: entries.length + malformed.length,
    available: inState('available'),
    inUse: inState('in-use'),
    quarantined: inState('quarantined'),
    malformed: malformed.length,
    byPlatform: Object.fromEntries(byPlatform),
  }
}

function byAddress(one: { readonly address: string }, other: { readonly address: string }): number {
  return one.address < other.address ? -1 : one.address > other.address ? 1 : 0
}
