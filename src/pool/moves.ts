import { PoolwrightError } from '../contract/errors.ts'
import type { PoolEntry } from '../contract/pool.ts'
import type { Change } from './change.ts'
import { nameEntry } from './demands.ts'
import { readEntry } from './entry.ts'
import { rewriteEntry } from './entry-rewrite.ts'
import type { FieldValues } from './fields.ts'
import { writeNowUnlike } from './instant.ts'
import type { PoolView } from './pool-view.ts'
import type { PoolPlace } from './refusal.ts'
import { hasRoom } from './size-limit.ts'

/** The fields that each move of an entry sets; all of them set last-updated too. */
export const MOVES = {
  allocate: (testId: string, now: string): FieldValues => ({
    status: 'in-use',
    'test-id': testId,
    'allocated-at': now,
  }),
  free: { status: 'available', 'test-id': '', 'allocated-at': '' },
  quarantine: { status: 'quarantined', 'test-id': '', 'allocated-at': '' },
  renew: {},
} as const satisfies Record<string, FieldValues | ((testId: string, now: string) => FieldValues)>

/** The write of a move, in the entry's own text; undefined when that text leaves no safe place for it. */
export function changeOf(
  entry: PoolEntry,
  text: string,
  fields: FieldValues,
  now = writeNowUnlike(entry.lastUpdated),
): Change | undefined {
  return rewrite(entry, text, { ...fields, 'last-updated': now })
}

/**
 * As changeOf, for a move that takes no lease: in a full pool it must not be refused for the few bytes of a time, or
 * leases could not be given back any more. Where these do not fit, last-updated stays as it was.
 */
export function changeThatFits(
  view: PoolView,
  entry: PoolEntry,
  text: string,
  fields: FieldValues,
): Change | undefined {
  const change = changeOf(entry, text, fields)
  return !change || hasRoom(view, change) ? change : rewrite(entry, text, fields)
}

function rewrite(entry: PoolEntry, text: string, fields: FieldValues): Change | undefined {
  const newText = rewriteEntry(text, fields)
  if (newText === undefined) return undefined
  const read = readEntry(entry.address, newText)
  return 'entry' in read ? { address: entry.address, oldText: text, newText, entry: read.entry } : undefined
}

/** As changeOf, for an entry that the caller named; throws EntryMalformed when it cannot be rewritten. */
export function demandChange(place: PoolPlace, entry: PoolEntry, text: string, fields: FieldValues): Change {
  return changeOf(entry, text, fields) ?? refuse(place, entry, fields)
}

/** As changeThatFits, for an entry that the caller named; throws EntryMalformed when it cannot be rewritten. */
export function demandChangeThatFits(
  place: PoolPlace,
  view: PoolView,
  entry: PoolEntry,
  text: string,
  fields: FieldValues,
): Change {
  return changeThatFits(view, entry, text, fields) ?? refuse(place, entry, fields)
}

function refuse(place: PoolPlace, { address }: PoolEntry, fields: FieldValues): never {
  throw new PoolwrightError(
    'EntryMalformed',
    `${nameEntry(place, address)}: its YAML leaves no place to write ${Object.keys(fields).join(', ')} safely.`,
  )
}
