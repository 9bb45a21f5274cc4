import type { ReleaseRequest, RenewRequest } from '../contract/implementation.ts'
import type { PoolEntry } from '../contract/pool.ts'
import { demandEntry, demandHolder, demandTransition, type Holder, isHeldBy } from './demands.ts'
import { demandChange, demandChangeThatFits, MOVES } from './moves.ts'
import type { EntryResult, PoolContext } from './pool.ts'
import { type History, readDecideWrite } from './read-decide-write.ts'
import { demandTestId } from './request-checks.ts'
import { TRANSITIONS } from './transitions.ts'

/** Gives a node back, or sets it aside as failed. One that is no longer in use is a success: an answer may have been lost. */
export async function release(context: PoolContext, request: ReleaseRequest): Promise<EntryResult> {
  demandTestId(request.testId)
  let holder: Holder = request
  return readDecideWrite(context, {
    name: 'release',
    options: request,
    testId: request.testId,
    address: request.address,
    decide(view, history) {
      const { entry, text } = demandEntry(context, view, request.address)
      const done = isDone(entry, holder, history)
      if (done) return { kind: 'nothing', entry, why: done }
      demandHolder(context, entry, holder)
      // From here on it is this lease that is given back, whoever asks for the node meanwhile.
      holder = { testId: request.testId, allocatedAt: entry.allocatedAt }
      const to = request.failed ? 'quarantined' : 'available'
      demandTransition(context, entry.address, entry.status, to)
      const fields = request.failed ? MOVES.quarantine : MOVES.free
      const change = demandChangeThatFits(context, view, entry, text, fields)
      return { kind: 'write', change, why: TRANSITIONS['in-use'][to].name }
    },
  })
}

function isDone(entry: PoolEntry, holder: Holder, { unanswered }: History): string | undefined {
  if (entry.status !== 'in-use') return `it is ${entry.status}, no longer in use`
  if (!unanswered || isHeldBy(entry, holder)) return undefined
  return 'an earlier attempt took effect, and the node has a new holder since'
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
