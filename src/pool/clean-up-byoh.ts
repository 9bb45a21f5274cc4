import { PoolwrightError } from '../contract/errors.ts'
import type { CleanUpByohRequest, Options } from '../contract/implementation.ts'
import type { PoolEntry } from '../contract/pool.ts'
import { type ByohContext, demandLimit } from './byoh-context.ts'
import { giveBack } from './give-back.ts'
import { removeMachineSets } from './machine-set.ts'
import { openPool } from './pool.ts'
import { demandTestId } from './request-checks.ts'
import { checkPolicy } from './retry-policy.ts'

/** What a clean-up did, filled in as it happens. */
export interface ByohCleanUp {
  readonly removedInstances: string[]
  readonly released: string[]
  readonly removedMachineSets: string[]
}

/**
 * Undoes setBYOH for a test, however far it came: everything is found in the cluster by the test id. Nobody else's
 * entry is touched. Safe to repeat. Throws CleanUpIncomplete when it can't prove that what it removed is gone.
 */
export async function cleanUpByoh(
  context: ByohContext,
  request: CleanUpByohRequest,
  done: ByohCleanUp = { removedInstances: [], released: [], removedMachineSets: [] },
): Promise<ByohCleanUp> {
  const { testId, goneWithinMs, failed, retry, strategy } = request
  demandTestId(testId)
  demandLimit('goneWithinMs', goneWithinMs)
  checkPolicy(retry)
  const options = { ...(retry && { retry }), ...(strategy && { strategy }) }
  const hosts = await hostsOf(context, testId, options)
  const suspect = new Set(failed ? hosts.map(({ address }) => address) : [])
  const give = { testId, hosts, unlist: 'all' as const, suspect, limitMs: goneWithinMs, options, ...done }
  // Both ways are cleaned even when one is stuck: what can be given back is.
  const ends = await Promise.allSettled([
    giveBack(context, give),
    removeMachineSets(context, testId, options, goneWithinMs, done.removedMachineSets),
  ])
  const broken = ends.find((end) => end.status === 'rejected')
  if (broken) throw broken.reason
  const problems = ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []))
  if (problems.length > 0)
    throw new PoolwrightError('CleanUpIncomplete', `Test ${JSON.stringify(testId)}: ${problems.join('; ')}.`)
  return done
}

/** What the test holds; a pool that does not exist holds nothing. */
async function hostsOf(context: ByohContext, testId: string, options: Options): Promise<PoolEntry[]> {
  try {
    const { entries } = await openPool(context).list(options)
    return entries.filter((entry) => entry.status === 'in-use' && entry.testId === testId)
  } catch (error) {
    if (error instanceof PoolwrightError && NO_POOL.has(error.code)) return []
    throw error
  }
}

const NO_POOL: ReadonlySet<string> = new Set(['PoolMissing', 'NamespaceMissing'])
