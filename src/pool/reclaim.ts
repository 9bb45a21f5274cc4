import { PoolwrightError } from '../contract/errors.ts'
import type { ReclaimRequest } from '../contract/implementation.ts'
import type { PoolEntry } from '../contract/pool.ts'
import { readInstant } from './instant.ts'
import { changeThatFits, MOVES } from './moves.ts'
import type { PoolContext, ReclaimResult } from './pool.ts'
import { type PoolView, viewPool } from './pool-view.ts'
import { readConfigMap, readDecideWrite } from './read-decide-write.ts'
import { retry } from './retry.ts'
import { checkPolicy } from './retry-policy.ts'

/** What a reclaim has done so far; it fills as entries are written, so that a failure half-way hides nothing. */
export interface ReclaimProgress {
  readonly reclaimed: PoolEntry[]
  readonly kept: { readonly address: string; readonly reason: string }[]
}

/** Frees nodes whose holders have not renewed for too long, each by a write of its own. */
export async function reclaim(
  context: PoolContext,
  request: ReclaimRequest,
  progress: ReclaimProgress = { reclaimed: [], kept: [] },
): Promise<ReclaimResult> {
  if (!(request.olderThanSeconds >= 0))
    throw new PoolwrightError(
      'InvalidRequest',
      `The age limit is ${request.olderThanSeconds}; expected seconds, 0 or more.`,
    )
  const policy = checkPolicy(request.retry)
  const end = performance.now() + (policy.deadlineMs ?? 0)
  const view = await retry(context, 'reclaim', policy, async (signal) =>
    viewPool(await readConfigMap(context, signal)),
  )
  keepMalformed(view, progress)
  for (const lease of view.entries) {
    const judged = judgeAge(lease, request.olderThanSeconds)
    if (judged.doubt !== undefined) progress.kept.push({ address: lease.address, reason: judged.doubt })
    if (judged.expired) await reclaimOne(context, until(end, request), lease, progress)
  }
  return progress
}

/** A deadline is that of the whole reclaim; a count of attempts is that of each write. */
function until(end: number, request: ReclaimRequest): ReclaimRequest {
  if (request.retry?.deadlineMs === undefined) return request
  return { ...request, retry: { ...request.retry, deadlineMs: Math.max(1, end - performance.now()) } }
}

async function reclaimOne(
  context: PoolContext,
  request: ReclaimRequest,
  lease: PoolEntry,
  progress: ReclaimProgress,
): Promise<void> {
  const { address } = lease
  let kept = 'it was renewed, released or changed meanwhile'
  const { node, unchanged } = await readDecideWrite(context, {
    name: 'reclaim',
    options: request,
    address,
    decide(view) {
      const text = view.textOf(address)
      const entry = view.entries.find((it) => it.address === address)
      if (text === undefined || !entry || !isSameLease(entry, lease)) return { kind: 'nothing', why: kept }
      const change = changeThatFits(view, entry, text, MOVES.free)
      if (!change) {
        kept = 'its YAML leaves no place to free it safely'
        return { kind: 'nothing', why: kept }
      }
      return {
        kind: 'write',
        change,
        why: `test ${JSON.stringify(lease.testId)} has not renewed for more than ${request.olderThanSeconds} s`,
      }
    },
  })
  if (node && node.status === 'available') progress.reclaimed.push(node)
  else if (unchanged) progress.kept.push({ address, reason: kept })
}

/** The lease as it was judged: a renewal or a new holder makes it another one. */
function isSameLease(entry: PoolEntry, lease: PoolEntry): boolean {
  return (
    entry.status === 'in-use' &&
    entry.testId === lease.testId &&
    entry.allocatedAt === lease.allocatedAt &&
    entry.lastUpdated === lease.lastUpdated
  )
}

/** Age counts from last-updated; a time in the future says that clocks differ, so nothing can be said about age. */
function judgeAge(entry: PoolEntry, limitSeconds: number): { expired: boolean; doubt?: string } {
  if (entry.status !== 'in-use') return { expired: false }
  const now = Date.now()
  for (const [field, text] of [
    ['last-updated', entry.lastUpdated],
    ['allocated-at', entry.allocatedAt],
  ] as const) {
    const ahead = (readInstant(text ?? '') ?? now) - now
    if (ahead > 0) return { expired: false, doubt: `${field} is ${Math.ceil(ahead / 1000)} s in the future` }
  }
  const since = readInstant(entry.lastUpdated ?? entry.allocatedAt ?? '') ?? now
  return { expired: now - since > limitSeconds * 1000 }
}

function keepMalformed(view: PoolView, progress: ReclaimProgress): void {
  for (const { address, field, found, values } of view.malformed)
    if (values.status === 'in-use') progress.kept.push({ address, reason: `malformed: ${field}: ${found}` })
}
