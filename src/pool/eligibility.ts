import type { ErrorCode } from '../contract/error-codes.ts'
import type { AddressType, PoolEntry } from '../contract/pool.ts'
import type { Machines } from './machines.ts'

/** What an allocation asks for, and what it must look at to judge an entry. */
export interface Wanted {
  readonly platform?: string | undefined
  readonly addressType?: AddressType | undefined
  readonly machines: Machines
}

interface EligibilityCheck {
  readonly name: string
  /** How the allocation fails when this check leaves no entry. */
  readonly code: ErrorCode
  refuses(entry: PoolEntry, wanted: Wanted): string | undefined
}

/** In this order; the first refusal is the reason why an entry is not handed out. */
const CHECKS: readonly EligibilityCheck[] = [
  {
    name: 'platform',
    code: 'PlatformMismatch',
    refuses: (entry, { platform }) =>
      platform === undefined || entry.platform === platform ? undefined : `its platform is ${entry.platform}`,
  },
  {
    name: 'address type',
    code: 'AddressTypeMismatch',
    refuses: (entry, { addressType }) =>
      addressType === undefined || entry.addressType === addressType
        ? undefined
        : `its address is of type ${entry.addressType}`,
  },
  {
    name: 'status',
    code: 'NoneAvailable',
    refuses: (entry) => (entry.status === 'available' ? undefined : `it is ${entry.status}`),
  },
  {
    name: 'machine',
    code: 'NoneAvailable',
    refuses: (entry, { machines }) => machines.heldElsewhere(entry),
  },
]

export interface Judgement {
  readonly eligible: readonly PoolEntry[]
  /** Entries refused, by reason. */
  readonly refused: ReadonlyMap<string, number>
  /** The check that left nobody; absent while somebody is left. */
  readonly failed?: { readonly name: string; readonly code: ErrorCode }
}

/** Puts every well-formed entry through the checks. */
export function judgeEntries(entries: readonly PoolEntry[], wanted: Wanted): Judgement {
  const refused = new Map<string, number>()
  let left = entries
  for (const check of CHECKS) {
    left = left.filter((entry) => {
      const reason = check.refuses(entry, wanted)
      if (reason !== undefined) refused.set(reason, (refused.get(reason) ?? 0) + 1)
      return reason === undefined
    })
    if (left.length === 0 && entries.length > 0) return { eligible: [], refused, failed: check }
  }
  return { eligible: left, refused }
}
