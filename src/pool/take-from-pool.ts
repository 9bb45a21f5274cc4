import { PoolwrightError } from '../contract/errors.ts'
import type { Options, SetByohRequest } from '../contract/implementation.ts'
import type { AddressType, PoolEntry } from '../contract/pool.ts'
import type { ByohContext } from './byoh-context.ts'
import { openPool } from './pool.ts'
import { unansweredOf } from './read-decide-write.ts'

/** All or none: what was taken before a refusal goes back at once; a refusal that allows a fallback is an answer. */
export async function takeFromPool(
  context: ByohContext,
  request: SetByohRequest,
): Promise<{ hosts: readonly PoolEntry[] } | { refusal: PoolwrightError }> {
  const hosts: PoolEntry[] = []
  let heldBefore: ReadonlySet<string> | undefined
  try {
    heldBefore = new Set((await leasesOf(context, request)).map(({ address }) => address))
    for (const addressType of request.addressTypes)
      hosts.push(await allocateOne(context, request, addressType))
    return { hosts }
  } catch (error) {
    // A caller who gave up gets his answer at once; the clean-up finds everything by the test id.
    if (!(error instanceof PoolwrightError) || context.signal.aborted) throw error
    const problems = heldBefore ? await giveBackTaken(context, request, hosts, heldBefore, error) : []
    if (problems.length > 0)
      throw new PoolwrightError('CleanUpIncomplete', `${error.message} Then: ${problems.join('; ')}`, {
        cause: error,
      })
    if (error.fallbackAllowed) return { refusal: error }
    throw error
  }
}

/** What the test holds in the pool. */
export async function leasesOf(context: ByohContext, request: SetByohRequest): Promise<PoolEntry[]> {
  const { entries } = await openPool(context).list(optionsOf(request))
  return entries.filter((entry) => entry.status === 'in-use' && entry.testId === request.testId)
}

/** Gives back what this call took, and answers what could not be given back. */
async function giveBackTaken(
  context: ByohContext,
  request: SetByohRequest,
  hosts: readonly PoolEntry[],
  heldBefore: ReadonlySet<string>,
  error: PoolwrightError,
): Promise<string[]> {
  const { testId, platform } = request
  const options = optionsOf(request)
  const problems: string[] = []
  const unheard = await unheardLeases(context, request, error)
  const all = new Map([...hosts, ...unheard].map((entry) => [entry.address, entry]))
  const taken = [...all.values()].filter(({ address }) => !heldBefore.has(address))
  if (taken.length > 0)
    context.journal.record('info', {
      operation: 'set-byoh',
      decision: 'give back what was taken',
      reason: `all or none, and for ${platform ?? 'any platform'}: ${error.message}`,
      testId,
    })
  for (const { address, allocatedAt } of taken)
    try {
      const fence = allocatedAt === undefined ? {} : { allocatedAt }
      await openPool(context).release({ ...options, address, testId, ...fence })
    } catch (failed) {
      if (!(failed instanceof PoolwrightError)) throw failed
      if (!NOT_OURS.has(failed.code)) problems.push(failed.message)
    }
  return problems
}

/** Reclaimed, or removed by force, meanwhile: nothing is left to give back. */
const NOT_OURS: ReadonlySet<string> = new Set(['NotTheHolder', 'EntryMissing'])

/**
 * An allocation that gave up may have taken a host all the same: the answer of its write was lost. What else the test
 * holds by now, another of its calls has taken and been told of.
 */
async function unheardLeases(
  context: ByohContext,
  request: SetByohRequest,
  error: PoolwrightError,
): Promise<readonly PoolEntry[]> {
  const written = unansweredOf(error)?.address
  if (written === undefined) return []
  try {
    return (await leasesOf(context, request)).filter(({ address }) => address === written)
  } catch (failed) {
    if (failed instanceof PoolwrightError) return []
    throw failed
  }
}

async function allocateOne(
  context: ByohContext,
  request: SetByohRequest,
  addressType: AddressType,
): Promise<PoolEntry> {
  const { testId, platform } = request
  const options = optionsOf(request)
  const { node } = await openPool(context).allocate({
    ...options,
    testId,
    addressType,
    ...(platform !== undefined && { platform }),
  })
  if (!node) throw new Error('an allocation that succeeded has a node')
  return node
}

/** Those of a request that the pool's operations take too. */
export function optionsOf({ retry, strategy }: SetByohRequest): Options {
  return { ...(retry && { retry }), ...(strategy && { strategy }) }
}
