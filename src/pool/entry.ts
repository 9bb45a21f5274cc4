import { ADDRESS_TYPES, type MalformedEntry, POOL_STATUSES, type PoolEntry } from '../contract/pool.ts'
import { judgeAddress } from './address.ts'
import { readEntryText } from './entry-text.ts'
import type { Field, FieldValues } from './fields.ts'
import { readInstant } from './instant.ts'
import { unprintableIn } from './unprintable.ts'

/** An entry set aside; what could be read of it still tells whether it may hold a machine. */
export interface SetAside extends MalformedEntry {
  readonly values: FieldValues
}

export type ReadEntry = { readonly entry: PoolEntry } | { readonly malformed: SetAside }

/** Reads one key and value of the pool's ConfigMap; what is not certain is malformed, never guessed. */
export function readEntry(address: string, text: string): ReadEntry {
  const { values, fault } = readEntryText(text)
  if (fault) return { malformed: { address, field: fault.field, found: fault.found, values } }
  for (const check of CHECKS) {
    const found = check.refuses(values, address)
    if (found) return { malformed: { address, field: check.field, found, values } }
  }
  return { entry: entryOf(address, values) }
}

/** The plain data of values that passed every check. */
function entryOf(address: string, values: FieldValues): PoolEntry {
  return {
    address,
    status: values.status as PoolEntry['status'],
    username: values.username ?? '',
    addressType: values['address-type'] as PoolEntry['addressType'],
    platform: values.platform ?? '',
    ...(values.machine && { machine: values.machine }),
    ...(values['test-id'] && { testId: values['test-id'] }),
    ...(values['allocated-at'] && { allocatedAt: values['allocated-at'] }),
    ...(values['last-updated'] && { lastUpdated: values['last-updated'] }),
  }
}

interface FieldCheck {
  readonly field: Field | 'address'
  /** What was found, when it is not what an entry needs. */
  refuses(values: FieldValues, address: string): string | undefined
}

const CHECKS: readonly FieldCheck[] = [
  {
    field: 'address',
    refuses: (_, address) => {
      const verdict = judgeAddress(address)
      return 'refusal' in verdict ? verdict.refusal : undefined
    },
  },
  { field: 'status', refuses: (values) => missing(values.status) ?? noneOf(POOL_STATUSES, values.status) },
  { field: 'username', refuses: (values) => missing(values.username) ?? unprintable(values.username) },
  {
    field: 'address-type',
    refuses: (values, address) =>
      missing(values['address-type']) ??
      noneOf(ADDRESS_TYPES, values['address-type']) ??
      otherType(values['address-type'], address),
  },
  { field: 'platform', refuses: (values) => missing(values.platform) ?? unprintable(values.platform) },
  { field: 'machine', refuses: (values) => unprintable(values.machine) },
  { field: 'test-id', refuses: (values) => (isHeld(values) ? missing(values['test-id']) : undefined) },
  {
    field: 'allocated-at',
    refuses: (values) =>
      isHeld(values) ? (missing(values['allocated-at']) ?? noTime(values['allocated-at'])) : undefined,
  },
  { field: 'last-updated', refuses: (values) => noTime(values['last-updated']) },
]

function isHeld(values: FieldValues): boolean {
  return values.status === 'in-use'
}

function missing(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? 'missing' : undefined
}

function noneOf(allowed: readonly string[], value = ''): string | undefined {
  return allowed.includes(value) ? undefined : `${quote(value)}, none of ${allowed.join(', ')}`
}

function otherType(type: string | undefined, address: string): string | undefined {
  const verdict = judgeAddress(address)
  return 'type' in verdict && verdict.type !== type
    ? `${quote(type)}, but the key is of type ${verdict.type}`
    : undefined
}

function unprintable(value = ''): string | undefined {
  const character = unprintableIn(value)
  return character && `${quote(value)}, with the character ${character}`
}

function noTime(value = ''): string | undefined {
  return value === '' || readInstant(value) !== undefined ? undefined : `${quote(value)}, no RFC 3339 time`
}

function quote(value = ''): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}
