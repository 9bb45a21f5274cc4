/** The contract's plain data as steps see it: they import from support alone. */
export type { ErrorCode } from '../src/contract/error-codes.ts'
export type {
  AddRequest,
  EntryOutcome,
  OutcomeError,
} from '../src/contract/implementation.ts'
export type { AddressType, LockStrategy, PoolListing, PoolStats, PoolStatus } from '../src/contract/pool.ts'
