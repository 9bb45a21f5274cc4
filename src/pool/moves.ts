import { PoolwrightError } from '../contract/errors.ts'
import type { PoolEntry } from '../contract/pool.ts'
import type { Change } from './change.ts'
import { nameEntry } from './demands.ts'
import { readEntry } from './entry.ts'
import { rewriteEntry } from './entry-rewrite.ts'
import type { FieldValues } from './fields.ts'
import { writeNow } from './instant.ts'
import type { PoolPlace } from './refusal.ts'

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
  now = writeNow(),
): Change | undefined {
  const newText = rewriteEntry(text, { ...fields, 'last-updated': now })
  if (newText === undefined) return undefined
  const read = readEntry(entry.address, newText)
  return 'entry' in read ? { address: entry.address, oldText: text, newText, entry: read.entry } : undefined
}

/** As changeOf, for an entry that the caller named; throws EntryMalformed when it cannot be rewritten. */
export function demandChange(place: PoolPlace, entry: PoolEntry, text: string, fields: FieldValues): Change {
  const change = changeOf(entry, text, fields)
  if (change) return change
  throw new PoolwrightError(
    'EntryMalformed',
    `${nameEntry(place, entry.address)}: its YAML leaves no place to write ${Object.keys(fields).join(', ')} safely.`,
  )
}
