import { PoolwrightError } from '../contract/errors.ts'
import type { UpdateStatusRequest } from '../contract/implementation.ts'
import { POOL_STATUSES, type PoolEntry } from '../contract/pool.ts'
import { demandEntry, demandHolder, demandTransition, isHeldBy } from './demands.ts'
import type { FieldValues } from './fields.ts'
import { writeNow } from './instant.ts'
import { findLeases } from './leases.ts'
import { indexMachines } from './machines.ts'
import { demandChange, demandChangeThatFits, MOVES } from './moves.ts'
import { type NodesByAddress, nodesFor } from './nodes.ts'
import type { EntryResult, PoolContext } from './pool.ts'
import type { PoolView } from './pool-view.ts'
import { type Decision, type History, readDecideWrite } from './read-decide-write.ts'
import { demandOneOf, demandTestId } from './request-checks.ts'
import { TRANSITIONS } from './transitions.ts'

/** Moves one entry to another state, as far as the table of transitions allows it to whoever asks. */
export async function updateStatus(context: PoolContext, request: UpdateStatusRequest): Promise<EntryResult> {
  demandOneOf('status', POOL_STATUSES, request.to)
  if (request.testId !== undefined) demandTestId(request.testId)
  const nodes = nodesFor(context, 'update status', request.testId)
  const isLease = request.to === 'in-use'
  const fence: Fence = {}
  return readDecideWrite(context, {
    name: 'update status',
    // A lease on a named entry has no other entry to turn to, so it goes by the version, which lets nothing slip in.
    options: isLease ? { ...request, strategy: 'resource-version' } : request,
    testId: request.testId,
    address: request.address,
    ...(isLease && { readMore: nodes.read }),
    decide: (view, history) => decide(context, request, view, nodes.latest(), fence, history),
  })
}

/** The lease that was seen first: from then on it is this one that is given back, whoever asks for the node meanwhile. */
interface Fence {
  allocatedAt?: string | undefined
}

function decide(
  context: PoolContext,
  { address, to, testId }: UpdateStatusRequest,
  view: PoolView,
  nodes: NodesByAddress,
  fence: Fence,
  { unanswered }: History,
): Decision {
  const { entry, text } = demandEntry(context, view, address)
  if (unanswered && (isSameState(entry, unanswered.entry) || isOver(entry, unanswered.entry, testId, fence)))
    return { kind: 'nothing', entry, why: 'an earlier attempt took effect, and the entry was changed since' }
  demandTransition(context, address, entry.status, to)
  const { mover, name } = TRANSITIONS[entry.status][to]
  if (mover === 'holder' && testId === undefined)
    throw new PoolwrightError(
      'InvalidRequest',
      `Moving ${address} from ${entry.status} to ${to} needs a test id.`,
    )
  if (entry.status === 'in-use' && testId !== undefined) {
    demandHolder(context, entry, { testId, ...fence })
    fence.allocatedAt = entry.allocatedAt
  }
  if (to !== 'in-use')
    return { kind: 'write', change: demandChangeThatFits(context, view, entry, text, FIELDS[to]), why: name }
  return lease(context, view, nodes, entry, text, testId ?? '')
}

function isSameState(one: PoolEntry, other: PoolEntry): boolean {
  return one.status === other.status && one.testId === other.testId && one.allocatedAt === other.allocatedAt
}

/**
 * Whether the lease that was to be given back has ended, as for a release: what became of the host since is others'
 * word, which a second attempt must not overrule. One that somebody has quarantined would be repaired by it.
 */
function isOver(entry: PoolEntry, moved: PoolEntry, testId = '', { allocatedAt }: Fence): boolean {
  return (
    moved.status === 'available' && allocatedAt !== undefined && !isHeldBy(entry, { testId, allocatedAt })
  )
}

const FIELDS: Readonly<Record<'available' | 'quarantined', FieldValues>> = {
  available: MOVES.free,
  quarantined: MOVES.quarantine,
}

/** Taking a named entry obeys the same laws as an allocation: one lease per test and type, one per machine. */
function lease(
  context: PoolContext,
  view: PoolView,
  nodes: NodesByAddress,
  entry: PoolEntry,
  text: string,
  testId: string,
): Decision {
  const [held] = findLeases(view, { testId, addressType: entry.addressType })
  if (held)
    throw new PoolwrightError(
      'InvalidRequest',
      `Test ${JSON.stringify(testId)} already holds ${held.address}.`,
    )
  const blocked = indexMachines(view, nodes).heldElsewhere(entry)
  if (blocked)
    throw new PoolwrightError('NoneAvailable', `Entry ${entry.address} cannot be handed out: ${blocked}.`)
  const now = writeNow()
  const change = demandChange(context, entry, text, MOVES.allocate(testId, now))
  return { kind: 'write', change, why: TRANSITIONS.available['in-use'].name }
}
