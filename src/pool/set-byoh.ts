import { PoolwrightError } from '../contract/errors.ts'
import type { ByohHost, OutcomeError, SetByohRequest } from '../contract/implementation.ts'
import { ADDRESS_TYPES, type PoolEntry } from '../contract/pool.ts'
import { type ByohContext, demandLimit, sharedLimit } from './byoh-context.ts'
import { type Reached, waitUntilConfigured } from './byoh-node.ts'
import { giveBack } from './give-back.ts'
import { fallBackToMachineSet, removeMachineSets } from './machine-set.ts'
import { machineSetName } from './machine-set-copy.ts'
import { openPool } from './pool.ts'
import { demandOneOf, demandTestId } from './request-checks.ts'
import { checkPolicy } from './retry-policy.ts'
import { leasesOf, optionsOf, takeFromPool } from './take-from-pool.ts'
import { whileRenewing } from './while-renewing.ts'
import { addInstances } from './windows-instances.ts'

/** What setBYOH came to; a failed one still has to show which way it went. */
export interface ByohProgress {
  source?: 'pool' | 'machine-set'
  fallbackReason?: OutcomeError
  hosts: readonly ByohHost[]
  machineSet?: string
}

/**
 * Makes hosts of one's own into Ready Nodes: one from the pool for each address type asked for, all or none; where the
 * pool has nothing to give, a MachineSet of one replica. Fills in `progress` on its way; throws PoolwrightError.
 */
export async function setByoh(
  context: ByohContext,
  request: SetByohRequest,
  progress: ByohProgress = { hosts: [] },
): Promise<ByohProgress> {
  demandRequest(request)
  const taken = await takeFromPool(context, request)
  if ('hosts' in taken) {
    progress.source = 'pool'
    progress.hosts = await configure(context, request, taken.hosts)
    return progress
  }
  const { code, fallbackAllowed, message, remedy } = taken.refusal
  progress.fallbackReason = { code, fallbackAllowed, message, remedy }
  progress.source = 'machine-set'
  progress.machineSet = machineSetName(request.testId)
  record(context, request, 'fall back to a MachineSet', message)
  Object.assign(progress, await fallBack(context, request))
  return progress
}

function demandRequest({ testId, addressTypes, readyWithinMs, retry }: SetByohRequest): void {
  demandTestId(testId)
  demandLimit('readyWithinMs', readyWithinMs)
  checkPolicy(retry)
  for (const addressType of addressTypes) demandOneOf('address type', ADDRESS_TYPES, addressType)
  if (addressTypes.length === 0 || new Set(addressTypes).size < addressTypes.length)
    throw new PoolwrightError(
      'InvalidRequest',
      `The address types are [${addressTypes.join(', ')}]; expected each type once, and at least one.`,
    )
}

/** From the pool's entry to a Ready Node; on any failure everything goes back, and hosts that never came up as failed. */
async function configure(
  context: ByohContext,
  request: SetByohRequest,
  hosts: readonly PoolEntry[],
): Promise<ByohHost[]> {
  try {
    await addInstances(context, request.testId, hosts, request)
  } catch (error) {
    throw await undo(context, request, hosts, error)
  }
  const reached = await waitForAll(context, request, hosts)
  const failed = reached.flatMap(([host, end]) =>
    'lastSeen' in end ? [{ host, lastSeen: end.lastSeen }] : [],
  )
  if (failed.length > 0) {
    const said = failed.map(({ host, lastSeen }) => `${host.address} (last seen: ${lastSeen})`).join(', ')
    const error = new PoolwrightError(
      'NodeNeverReady',
      `No Ready Node within ${request.readyWithinMs} ms of being listed in windows-instances: ${said}.`,
    )
    throw await undo(
      context,
      request,
      hosts,
      error,
      failed.map(({ host }) => host.address),
    )
  }
  await confirmLeases(context, request, hosts)
  return reached.map(([host, end]) => hostOf(host, end))
}

/** Waits until each host is a Ready Node or the time is up; a lease that is lost meanwhile ends all of it. */
async function waitForAll(
  context: ByohContext,
  request: SetByohRequest,
  hosts: readonly PoolEntry[],
): Promise<(readonly [PoolEntry, Reached<string>])[]> {
  const left = sharedLimit(request.readyWithinMs)
  const leases = {
    testId: request.testId,
    hosts,
    options: optionsOf(request),
    loss: 'ends the work',
  } as const
  try {
    return await whileRenewing(context, leases, (held) =>
      Promise.all(
        hosts.map(async (host) => [host, await waitUntilConfigured(held, host.address, left())] as const),
      ),
    )
  } catch (error) {
    throw await undo(context, request, hosts, error)
  }
}

/** Configuring takes longer than some leases live: what was reclaimed meanwhile is not handed over, and the rest is young. */
async function confirmLeases(
  context: ByohContext,
  request: SetByohRequest,
  hosts: readonly PoolEntry[],
): Promise<void> {
  const { testId } = request
  try {
    for (const { address, allocatedAt = '' } of hosts)
      await openPool(context).renew({ ...optionsOf(request), address, testId, allocatedAt })
  } catch (error) {
    throw await undo(context, request, hosts, error)
  }
}

function hostOf({ address, addressType, username }: PoolEntry, end: Reached<string>): ByohHost {
  if (!('value' in end)) throw new Error('a host that was not reached is no host')
  return { source: 'pool', address, addressType, username, node: end.value }
}

/**
 * Gives all hosts back because of an error, and answers what to throw: that error, or CleanUpIncomplete when they could
 * not be given back. A caller who gave up gets his answer at once; the clean-up finds everything by the test id.
 */
async function undo(
  context: ByohContext,
  request: SetByohRequest,
  hosts: readonly PoolEntry[],
  error: unknown,
  failed: readonly string[] = [],
): Promise<unknown> {
  if (context.signal.aborted || !(error instanceof PoolwrightError)) return error
  const lost = await lostOf(context, request, hosts)
  return withProblems(
    error,
    giveBack(context, {
      testId: request.testId,
      hosts,
      unlist: 'of hosts',
      // Whoever has a lost host by now needs it unlisted at once: nothing may be waited for before.
      suspect: new Set([...failed, ...lost]),
      limitMs: undoLimit(request),
      options: optionsOf(request),
    }),
  )
}

/** Addresses whose lease the test has no more; none where that can't be told. */
async function lostOf(
  context: ByohContext,
  request: SetByohRequest,
  hosts: readonly PoolEntry[],
): Promise<string[]> {
  try {
    const kept = new Set((await leasesOf(context, request)).map(({ address }) => address))
    return hosts.map(({ address }) => address).filter((address) => !kept.has(address))
  } catch (error) {
    if (error instanceof PoolwrightError) return []
    throw error
  }
}

/** The error, or CleanUpIncomplete with what could not be undone after it: the first cause is never lost. */
async function withProblems(error: PoolwrightError, undoing: Promise<string[]>): Promise<PoolwrightError> {
  const problems = await undoing.catch((failure: unknown) => {
    if (failure instanceof PoolwrightError) return [failure.message]
    throw failure
  })
  if (problems.length === 0) return error
  return new PoolwrightError('CleanUpIncomplete', `${error.message} Then: ${problems.join('; ')}`, {
    cause: error,
  })
}

/** On failure the MachineSet goes again before the error is thrown. */
async function fallBack(
  context: ByohContext,
  request: SetByohRequest,
): Promise<{ machineSet: string; hosts: readonly ByohHost[] }> {
  try {
    return await fallBackToMachineSet(context, request)
  } catch (error) {
    if (context.signal.aborted || !(error instanceof PoolwrightError)) throw error
    throw await withProblems(
      error,
      removeMachineSets(context, request.testId, request, undoLimit(request), []),
    )
  }
}

/** A caller who is impatient about readiness did not ask for hosts to be left behind. */
function undoLimit({ readyWithinMs }: SetByohRequest): number {
  return Math.max(readyWithinMs, LEAST_UNDO_MS)
}

const LEAST_UNDO_MS = 60_000

function record(context: ByohContext, { testId }: SetByohRequest, decision: string, reason: string): void {
  context.journal.record('info', { operation: 'set-byoh', decision, reason, testId })
}
