import { PoolwrightError } from '../contract/errors.ts'
import type { Options } from '../contract/implementation.ts'
import type { PoolEntry } from '../contract/pool.ts'
import { type ByohContext, sharedLimit } from './byoh-context.ts'
import { waitUntilDeconfigured, waitUntilRegistered } from './byoh-node.ts'
import { openPool } from './pool.ts'
import { whileRenewing } from './while-renewing.ts'
import { listedInstances, removeInstances } from './windows-instances.ts'

export interface GiveBack extends GivenBack {
  readonly testId: string
  /** Entries that the test holds. */
  readonly hosts: readonly PoolEntry[]
  /** Whether whatever else the test has listed is unlisted too. */
  readonly unlist: 'of hosts' | 'all'
  /** Addresses of hosts to quarantine. */
  readonly suspect: ReadonlySet<string>
  /** Milliseconds that the hosts get to be Nodes, where they are not yet, and then to be no longer configured. */
  readonly limitMs: number
  readonly options: Options
}

/** Filled in as it happens, for an outcome that has to show how far it came. */
interface GivenBack {
  readonly removedInstances?: string[]
  readonly released?: string[]
}

/**
 * Unlists hosts, waits until they are no longer configured, and only then releases them: in this order the entry in the
 * pool says to the very end whose they are, so whoever is interrupted can begin again. A host that somebody else has
 * listed stays listed, and others use it: it is no host for the next test. Answers what could not be proven.
 */
export async function giveBack(context: ByohContext, give: GiveBack): Promise<string[]> {
  const { testId, hosts, options } = give
  const left = sharedLimit(give.limitMs)
  // A lease that is lost now makes the host no less configured: the waits go on.
  const leases = { testId, hosts, options, loss: 'changes nothing' } as const
  const { reached, foreign, suspect } = await whileRenewing(context, leases, async (held) => {
    const known = await afterRegistration(held, give, left)
    const { removed, foreign } = await removeInstances(context, testId, hosts, give.unlist, options)
    give.removedInstances?.push(...removed)
    const addresses = new Set([...hosts.map(({ address }) => address), ...removed]).difference(foreign)
    const reached = await Promise.all(
      Array.from(
        addresses,
        async (address) => [address, await waitUntilDeconfigured(held, address, left())] as const,
      ),
    )
    const early = removed.filter((address) => !known.has(address))
    recordSuspects(context, testId, early)
    return { reached, foreign, suspect: new Set([...give.suspect, ...early, ...foreign]) }
  })
  const free = new Set(reached.flatMap(([address, end]) => ('value' in end ? [address] : [])))
  // One after the other: releases side by side would only be each other's conflicts. One that fails keeps no other.
  const failures: unknown[] = []
  for (const host of hosts)
    if (free.has(host.address) || foreign.has(host.address))
      await releaseHost(context, { ...give, suspect }, host).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return reached.flatMap(([address, end]) =>
    'lastSeen' in end ? [`${address} is still configured after ${give.limitMs} ms: ${end.lastSeen}`] : [],
  )
}

/**
 * Waits for the Nodes of hosts that are still listed, and answers the addresses where unlisting may now be seen to work:
 * an operator that has seen a host listed may be at work on it without a trace, and unlisted so early that host would
 * look deconfigured, be released, and become a Node in the hands of the next test. One that goes to quarantine in any
 * case is not waited for.
 */
async function afterRegistration(
  context: ByohContext,
  { testId, hosts, unlist, suspect, options }: GiveBack,
  left: () => number,
): Promise<ReadonlySet<string>> {
  const listed = await listedInstances(context, testId, hosts, unlist, options)
  const ends = await Promise.all(
    listed
      .filter((address) => !suspect.has(address))
      .map(async (address) => [address, await waitUntilRegistered(context, address, left())] as const),
  )
  return new Set([...suspect, ...ends.flatMap(([address, end]) => ('value' in end ? [address] : []))])
}

function recordSuspects(context: ByohContext, testId: string, addresses: readonly string[]): void {
  for (const address of addresses)
    context.journal.record('warn', {
      operation: 'give back',
      decision: 'quarantine',
      reason: 'unlisted before a Node came of it: the operator may still be at work on it',
      testId,
      address,
    })
}

async function releaseHost(
  context: ByohContext,
  { testId, suspect, options, released }: GiveBack,
  { address, allocatedAt }: PoolEntry,
): Promise<void> {
  try {
    const fence = allocatedAt === undefined ? {} : { allocatedAt }
    await openPool(context).release({ ...options, address, testId, ...fence, failed: suspect.has(address) })
    released?.push(address)
  } catch (error) {
    // Reclaimed, or removed by force, since it was read: no longer this test's to release.
    if (!(error instanceof PoolwrightError) || !NOT_OURS.has(error.code)) throw error
    context.journal.record('warn', {
      operation: 'give back',
      decision: 'left alone',
      reason: error.message,
      testId,
      address,
    })
  }
}

const NOT_OURS: ReadonlySet<string> = new Set(['NotTheHolder', 'EntryMissing'])
