import { PoolwrightError } from '../contract/errors.ts'
import type { AddRequest, RemoveRequest } from '../contract/implementation.ts'
import { ADDRESS_TYPES, POOL_STATUSES, type PoolEntry } from '../contract/pool.ts'
import { judgeAddress } from './address.ts'
import { demandEntry, demandTransition, invalidTransition, nameEntry } from './demands.ts'
import { readEntry } from './entry.ts'
import { writeNow } from './instant.ts'
import type { EntryResult, PoolContext } from './pool.ts'
import type { PoolView } from './pool-view.ts'
import { type Decision, type History, readDecideWrite } from './read-decide-write.ts'
import { demandLine, demandOneOf } from './request-checks.ts'
import { writeScalar } from './scalar-text.ts'
import { TRANSITIONS } from './transitions.ts'

/** Puts a new host into the pool. */
export async function add(context: PoolContext, request: AddRequest): Promise<EntryResult> {
  demandAddress(request)
  demandLine('username', request.username)
  demandLine('platform', request.platform)
  if (request.machine !== undefined) demandLine('machine', request.machine)
  const status = request.status ?? 'available'
  demandOneOf('status', POOL_STATUSES, status)
  demandTransition(context, request.address, 'new', status)
  return readDecideWrite(context, {
    name: 'add',
    options: request,
    address: request.address,
    decide: (view, history) => decideAdd(context, request, view, history),
  })
}

function demandAddress({ address, addressType }: AddRequest): void {
  demandOneOf('address type', ADDRESS_TYPES, addressType)
  const verdict = judgeAddress(address)
  if ('refusal' in verdict)
    throw new PoolwrightError(
      'AddressRefused',
      `The address ${JSON.stringify(address)} cannot be a key: ${verdict.refusal}.`,
    )
  if (verdict.type !== addressType)
    throw new PoolwrightError(
      'AddressRefused',
      `The address ${address} is of type ${verdict.type}, not ${addressType}.`,
    )
}

function decideAdd(
  context: PoolContext,
  request: AddRequest,
  view: PoolView,
  { unanswered }: History,
): Decision {
  const { address } = request
  if (view.textOf(address) !== undefined || view.isBinary(address)) {
    const entry = unanswered && view.entries.find((it) => it.address === address)
    if (entry && isAsAsked(entry, request))
      return {
        kind: 'nothing',
        entry,
        why: 'an earlier attempt took effect, and the entry was changed since',
      }
    const doubt = unanswered
      ? ' The answer of an earlier attempt was lost, so it may be what became of ours.'
      : ''
    throw new PoolwrightError('EntryExists', `${nameEntry(context, address)} exists already.${doubt}`)
  }
  const newText = textOf(request)
  const read = readEntry(address, newText)
  if ('malformed' in read)
    throw new PoolwrightError(
      'InvalidRequest',
      `The ${read.malformed.field} cannot be used: ${read.malformed.found}.`,
    )
  return {
    kind: 'write',
    change: { address, oldText: undefined, newText, entry: read.entry },
    why: 'new entry',
  }
}

/** What others may do to an entry as soon as it is there, its status and its lease, tells nothing about who added it. */
function isAsAsked(entry: PoolEntry, { username, platform, machine }: AddRequest): boolean {
  return (
    entry.username === username && entry.platform === platform && (entry.machine ?? '') === (machine ?? '')
  )
}

function textOf({ status = 'available', username, addressType, platform, machine }: AddRequest): string {
  const lines = [
    `status: ${status}`,
    `username: ${writeScalar(username, 'plain')}`,
    `address-type: ${addressType}`,
    `platform: ${writeScalar(platform, 'plain')}`,
    ...(machine === undefined ? [] : [`machine: ${writeScalar(machine, 'plain')}`]),
    'test-id:',
    'allocated-at:',
    `last-updated: ${writeNow()}`,
  ]
  return `${lines.join('\n')}\n`
}

/** Takes an entry out of the pool; one in use only by force. */
export async function remove(context: PoolContext, request: RemoveRequest): Promise<EntryResult> {
  return readDecideWrite(context, {
    name: 'remove',
    options: request,
    address: request.address,
    decide(view, { unanswered }) {
      const { entry, text } = demandEntry(context, view, request.address)
      if (unanswered && text !== unanswered.oldText) throw anotherEntry(context, entry)
      const { mover, name } = TRANSITIONS[entry.status].removed
      if (mover === 'force' && !request.force)
        throw invalidTransition(context, entry.address, entry.status, 'removed')
      const why = mover === 'force' ? 'removed by force, although in use' : name
      return {
        kind: 'write',
        change: { address: entry.address, oldText: text, newText: undefined, entry },
        why,
      }
    },
  })
}

/** Either it was taken out and added anew, or it was changed first and never taken out: whoever asked must look. */
function anotherEntry(context: PoolContext, { address, status }: PoolEntry): PoolwrightError {
  return new PoolwrightError(
    'AttemptsExhausted',
    `remove on ${nameEntry(context, address)}: the answer of an attempt was lost, and the entry is no longer the one ` +
      `that was to go: it is ${status} now, added anew or changed meanwhile. It was left alone.`,
  )
}
