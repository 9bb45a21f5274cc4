import { PoolwrightError } from '../contract/errors.ts'
import type { ByohHost, OutcomeError, SetByohRequest } from '../contract/implementation.ts'
import { ADDRESS_TYPES, type AddressType, type PoolEntry } from '../contract/pool.ts'
import { type ByohContext, demandLimit, sharedLimit } from './byoh-context.ts'
import { type Reached, waitUntilConfigured } from './byoh-node.ts'
import { giveBack } from './give-back.ts'
import { fallBackToMachineSet, removeMachineSets } from './machine-set.ts'
import { machineSetName } from './machine-set-copy.ts'
import { openPool } from './pool.ts'
import { demandOneOf, demandTestId } from './request-checks.ts'
import { checkPolicy } from './retry-policy.ts'
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
    progress.hosts = await configure(context, request, taken)
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

interface Taken {
  readonly hosts: readonly PoolEntry[]
  /** Of those, the addresses that the test held before: an earlier call may have configured them. */
  readonly heldBefore: ReadonlySet<string>
}

/** All or none: what was taken before a refusal goes back at once; a refusal that allows a fallback is an answer. */
async function takeFromPool(
  context: ByohContext,
  request: SetByohRequest,
): Promise<Taken | { refusal: PoolwrightError }> {
  const { testId, platform, addressTypes } = request
  const pool = openPool(context)
  const hosts: PoolEntry[] = []
  let heldBefore: ReadonlySet<string> = new Set()
  try {
    const { entries } = await pool.list()
    heldBefore = new Set(entries.filter((entry) => entry.testId === testId).map(({ address }) => address))
    for (const addressType of addressTypes) hosts.push(await allocateOne(context, request, addressType))
    return { hosts, heldBefore }
  } catch (error) {
    if (!(error instanceof PoolwrightError)) throw error
    const taken = hosts.filter(({ address }) => !heldBefore.has(address))
    if (taken.length > 0)
      record(
        context,
        request,
        'give back what was taken',
        `all or none, and for ${platform ?? 'any platform'}: ${error.message}`,
      )
    for (const { address, allocatedAt } of taken)
      await pool.release({ ...optionsOf(request), address, testId, ...(allocatedAt && { allocatedAt }) })
    if (error.fallbackAllowed) return { refusal: error }
    throw error
  }
}

async function allocateOne(
  context: ByohContext,
  request: SetByohRequest,
  addressType: AddressType,
): Promise<PoolEntry> {
  const { testId, platform } = request
  const { node } = await openPool(context).allocate({
    ...optionsOf(request),
    testId,
    addressType,
    ...(platform !== undefined && { platform }),
  })
  if (!node) throw new Error('an allocation that succeeded has a node')
  return node
}

/** From the pool's entry to a Ready Node; on any failure everything goes back, and hosts that never came up as failed. */
async function configure(
  context: ByohContext,
  request: SetByohRequest,
  { hosts, heldBefore }: Taken,
): Promise<ByohHost[]> {
  try {
    await addInstances(context, request.testId, hosts, heldBefore, request)
  } catch (error) {
    throw await undo(context, request, hosts, error, { listed: !isSomebodyElses(error) })
  }
  const left = sharedLimit(request.readyWithinMs)
  const reached = await Promise.all(
    hosts.map(async (host) => [host, await waitUntilConfigured(context, host.address, left())] as const),
  )
  const failed = reached.flatMap(([host, end]) =>
    'lastSeen' in end ? [{ host, lastSeen: end.lastSeen }] : [],
  )
  if (failed.length > 0) {
    const said = failed.map(({ host, lastSeen }) => `${host.address} (last seen: ${lastSeen})`).join(', ')
    const error = new PoolwrightError(
      'NodeNeverReady',
      `No Ready Node within ${request.readyWithinMs} ms of being listed in windows-instances: ${said}.`,
    )
    throw await undo(context, request, hosts, error, { failed: failed.map(({ host }) => host.address) })
  }
  return reached.map(([host, end]) => hostOf(host, end))
}

function isSomebodyElses(error: unknown): boolean {
  return error instanceof PoolwrightError && error.code === 'EntryExists'
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
  { failed = [], listed = true }: { failed?: readonly string[]; listed?: boolean },
): Promise<unknown> {
  if (context.signal.aborted || !(error instanceof PoolwrightError)) return error
  // Listed by somebody else: that entry stays, and a host that others use is no host for the next test.
  const suspect = listed ? failed : hosts.map(({ address }) => address)
  const problems = await giveBack(context, {
    testId: request.testId,
    hosts,
    suspect: new Set(suspect),
    isListed: listed,
    limitMs: undoLimit(request),
    options: optionsOf(request),
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
    const problems = await removeMachineSets(context, request.testId, request, undoLimit(request), [])
    if (problems.length === 0) throw error
    throw new PoolwrightError('CleanUpIncomplete', `${error.message} Then: ${problems.join('; ')}`, {
      cause: error,
    })
  }
}

/** A caller who is impatient about readiness did not ask for hosts to be left behind. */
function undoLimit({ readyWithinMs }: SetByohRequest): number {
  return Math.max(readyWithinMs, LEAST_UNDO_MS)
}

const LEAST_UNDO_MS = 60_000

function optionsOf({ retry, strategy }: SetByohRequest): Pick<SetByohRequest, 'retry' | 'strategy'> {
  return { ...(retry && { retry }), ...(strategy && { strategy }) }
}

function record(context: ByohContext, { testId }: SetByohRequest, decision: string, reason: string): void {
  context.journal.record('info', { operation: 'set-byoh', decision, reason, testId })
}
