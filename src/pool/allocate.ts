import { PoolwrightError } from '../contract/errors.ts'
import type { AllocateRequest } from '../contract/implementation.ts'
import { ADDRESS_TYPES, type PoolEntry } from '../contract/pool.ts'
import { orderOfChoice } from './choice.ts'
import { type Judgement, judgeEntries } from './eligibility.ts'
import { writeNow } from './instant.ts'
import { findLeases, rivalOf, surplusLease, wasRenewed } from './leases.ts'
import { indexMachines, type Machines } from './machines.ts'
import { changeOf, changeThatFits, MOVES } from './moves.ts'
import { type NodesByAddress, nodesFor } from './nodes.ts'
import type { EntryResult, PoolContext } from './pool.ts'
import type { PoolView } from './pool-view.ts'
import { type Decision, type History, readDecideWrite } from './read-decide-write.ts'
import { demandLine, demandOneOf, demandTestId } from './request-checks.ts'

/** Hands one node to a test, or the one it already holds. */
export async function allocate(context: PoolContext, request: AllocateRequest): Promise<EntryResult> {
  demandTestId(request.testId)
  if (request.platform !== undefined) demandLine('platform', request.platform)
  if (request.addressType !== undefined) demandOneOf('address type', ADDRESS_TYPES, request.addressType)
  const nodes = nodesFor(context, 'allocate', request.testId)
  return readDecideWrite(context, {
    name: 'allocate',
    options: request,
    testId: request.testId,
    readMore: nodes.read,
    decide: (view, history) => decide(context, request, view, nodes.latest(), history),
  })
}

function decide(
  context: PoolContext,
  request: AllocateRequest,
  view: PoolView,
  nodes: NodesByAddress,
  history: History,
): Decision {
  const machines = indexMachines(view, nodes)
  const leases = findLeases(view, request)
  const surplus = surplusLease(view, machines, leases, history)
  if (surplus) return { kind: 'first', change: surplus.change, why: surplus.why }
  const [lease, ...others] = leases
  if (lease) {
    demandMachine(context, machines, lease)
    return hold(demandPlatform(context, request, lease), others, view)
  }
  if (view.entries.length + view.malformed.length === 0)
    throw new PoolwrightError('PoolEmpty', `ConfigMap ${nameOf(context)} has no entries.`)
  const judgement = judgeEntries(view.entries, { ...request, machines })
  if (judgement.failed || judgement.eligible.length === 0)
    throw nothingToGive(context, request, view, judgement)
  for (const entry of inOrder(judgement.eligible, request, view, history)) {
    const decision = take(request, view, nodes, machines, entry)
    if (decision) return decision
  }
  throw nothingToGive(context, request, view, judgement)
}

/**
 * Of two leases of one kind one may be about to be given back by whoever wrote it, and which one that is does not show:
 * the one that is answered is renewed, since nobody gives back a text that is no longer the one he wrote.
 */
function hold(lease: PoolEntry, others: readonly PoolEntry[], view: PoolView): Decision {
  const hasTwin = others.some(({ addressType }) => addressType === lease.addressType)
  const change =
    hasTwin && !wasRenewed(lease) ? changeOf(lease, view.textOf(lease.address) ?? '', MOVES.renew) : undefined
  if (change) return { kind: 'write', change, why: 'this test holds it, and another of its kind' }
  return { kind: 'nothing', entry: lease, why: 'this test holds it' }
}

/**
 * A write whose answer was lost may still be on its way, guarded by the entry's old text alone: while that text stands,
 * no other entry may be chosen, or the test could end with two.
 */
function inOrder(
  eligible: readonly PoolEntry[],
  { testId }: AllocateRequest,
  view: PoolView,
  { unanswered }: History,
): Iterable<PoolEntry> {
  const pending =
    unanswered?.excludes && view.textOf(unanswered.address) === unanswered.oldText
      ? eligible.find(({ address }) => address === unanswered.address)
      : undefined
  return pending ? [pending] : orderOfChoice(eligible, testId)
}

/** Undefined when the entry's text leaves no safe place for a lease. */
function take(
  { testId }: AllocateRequest,
  view: PoolView,
  nodes: NodesByAddress,
  machines: Machines,
  entry: PoolEntry,
): Decision | undefined {
  const text = view.textOf(entry.address) ?? ''
  const node = nodes.get(entry.address)
  if (node && !node.ready) {
    const change = changeThatFits(view, entry, text, MOVES.quarantine)
    return change && { kind: 'first', change, why: `its Node ${node.name} is not Ready: quarantined` }
  }
  const now = writeNow()
  const change = changeOf(entry, text, MOVES.allocate(testId, now), now)
  if (!change) return undefined
  const excludes = machines.siblings(entry).map(({ address }) => address)
  return {
    kind: 'write',
    change: { ...change, excludes },
    why: 'first in order of those that passed every check',
  }
}

/**
 * A lease that its holder has renewed is his, whatever is written about its machine afterwards. One that never was may
 * be what a process that died left behind, when the machine had been taken first: it is not handed out beside the
 * other, nor taken away.
 */
function demandMachine(context: PoolContext, machines: Machines, lease: PoolEntry): void {
  const rival = wasRenewed(lease) ? undefined : rivalOf(machines, lease)
  if (!rival) return
  throw new PoolwrightError(
    'NoneAvailable',
    `Test ${JSON.stringify(lease.testId)} holds ${lease.address} in ConfigMap ${nameOf(context)}, but its machine is ` +
      `also held as ${rival.address} by test ${JSON.stringify(rival.testId)}: it is not handed out again before one of ` +
      'them is released.',
  )
}

function demandPlatform(
  context: PoolContext,
  { testId, platform }: AllocateRequest,
  lease: PoolEntry,
): PoolEntry {
  if (platform === undefined || lease.platform === platform) return lease
  throw new PoolwrightError(
    'InvalidRequest',
    `Test ${JSON.stringify(testId)} already holds ${lease.address} of platform ${lease.platform} in ConfigMap ` +
      `${nameOf(context)}; it asked for ${platform}. Release that one first, or ask under another test id.`,
  )
}

function nothingToGive(
  context: PoolContext,
  request: AllocateRequest,
  view: PoolView,
  { failed, refused }: Judgement,
): PoolwrightError {
  const code = failed?.code ?? 'NoneAvailable'
  const asked = [
    request.platform === undefined ? [] : [`platform ${request.platform}`],
    request.addressType === undefined ? [] : [`address type ${request.addressType}`],
  ].flat()
  const reasons = [...refused].map(([reason, count]) => `${count} because ${reason}`)
  const setAside = view.malformed.length > 0 ? [`${view.malformed.length} set aside as malformed`] : []
  const platforms = [...new Set(view.entries.map(({ platform }) => platform))].toSorted()
  const known =
    code === 'PlatformMismatch' ? ` The platforms that exist are: ${firstOf(platforms, 50).join(', ')}.` : ''
  const count = view.entries.length + view.malformed.length
  return new PoolwrightError(
    code,
    `ConfigMap ${nameOf(context)} has ${count} ${count === 1 ? 'entry' : 'entries'} and no node to give` +
      `${asked.length > 0 ? ` for ${asked.join(' and ')}` : ''}: ${[...firstOf(reasons, 8), ...setAside].join(', ')}.${known}`,
  )
}

/** A pool of thousands must not bury its message; what is left out is counted. */
function firstOf(all: readonly string[], most: number): readonly string[] {
  return all.length > most ? [...all.slice(0, most), `and ${all.length - most} more`] : all
}

function nameOf({ namespace, configMap }: PoolContext): string {
  return `${namespace}/${configMap}`
}
