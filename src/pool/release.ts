import type { ReleaseRequest, RenewRequest } from '../contract/implementation.ts'
import { demandEntry, demandHolder, demandTransition, isHeldBy } from './demands.ts'
import { demandChange, MOVES } from './moves.ts'
import type { EntryResult, PoolContext } from './pool.ts'
import type { PoolView } from './pool-view.ts'
import { type Decision, type History, readDecideWrite } from './read-decide-write.ts'
import { demandTestId } from './request-checks.ts'

/** Gives a node back, or sets it aside as failed. One that is no longer in use is a success: an answer may have been lost. */
export async function release(context: PoolContext, request: ReleaseRequest): Promise<EntryResult> {
  demandTestId(request.testId)
  return readDecideWrite(context, {
    name: 'release',
    options: request,
    testId: request.testId,
    address: request.address,
    decide: (view, history) => decideRelease(context, request, view, history),
  })
}

function decideRelease(
  context: PoolContext,
  request: ReleaseRequest,
  view: PoolView,
  history: History,
): Decision {
  const { entry, text } = demandEntry(context, view, request.address)
  if (entry.status !== 'in-use')
    return { kind: 'nothing', entry, why: `it is ${entry.status}, no longer in use` }
  if (history.unanswered && !isHeldBy(entry, request))
    return {
      kind: 'nothing',
      entry,
      why: 'an earlier attempt took effect, and the node has a new holder since',
    }
  demandHolder(context, entry, request)
  const to = request.failed ? 'quarantined' : 'available'
  demandTransition(context, entry.address, entry.status, to)
  const change = demandChange(context, entry, text, request.failed ? MOVES.quarantine : MOVES.free)
  return {
    kind: 'write',
    change,
    why: request.failed ? 'released as failed by its holder' : 'released by its holder',
  }
}

/** Tells that a lease is still wanted; its age counts from here. */
export async function renew(context: PoolContext, request: RenewRequest): Promise<EntryResult> {
  demandTestId(request.testId)
  return readDecideWrite(context, {
    name: 'renew',
    options: request,
    testId: request.testId,
    address: request.address,
    decide(view) {
      const { entry, text } = demandEntry(context, view, request.address)
      demandHolder(context, entry, request)
      return {
        kind: 'write',
        change: demandChange(context, entry, text, MOVES.renew),
        why: 'renewed by its holder',
      }
    },
  })
}
