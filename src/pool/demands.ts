import { PoolwrightError } from '../contract/errors.ts'
import type { PoolEntry } from '../contract/pool.ts'
import type { PoolView } from './pool-view.ts'
import type { PoolPlace } from './refusal.ts'
import { type From, type To, TRANSITIONS } from './transitions.ts'

/** The entry of an address and its text; throws EntryMissing or EntryMalformed. */
export function demandEntry(
  place: PoolPlace,
  view: PoolView,
  address: string,
): { entry: PoolEntry; text: string } {
  const text = view.textOf(address)
  const entry = view.entries.find((it) => it.address === address)
  if (text !== undefined && entry) return { entry, text }
  const malformed = view.malformed.find((it) => it.address === address)
  if (malformed)
    throw new PoolwrightError(
      'EntryMalformed',
      `${nameEntry(place, address)}: ${malformed.field}: ${malformed.found}.`,
    )
  throw new PoolwrightError(
    'EntryMissing',
    `ConfigMap ${place.namespace}/${place.configMap} has no entry ${address}.`,
  )
}

/** Throws InvalidTransition, naming both states, for a move that the table gives to nobody. */
export function demandTransition(place: PoolPlace, address: string, from: From, to: To): void {
  const transition = TRANSITIONS[from][to]
  if (transition.mover === 'nobody') throw invalidTransition(place, address, from, to)
}

export function invalidTransition(place: PoolPlace, address: string, from: From, to: To): PoolwrightError {
  return new PoolwrightError(
    'InvalidTransition',
    `${nameEntry(place, address)} may not go from ${from} to ${to}: ${TRANSITIONS[from][to].name}.`,
  )
}

/** Who claims to hold a lease; without a time of allocation any lease of the test id is meant. */
export interface Holder {
  readonly testId: string
  readonly allocatedAt?: string | undefined
}

export function isHeldBy(entry: PoolEntry, { testId, allocatedAt }: Holder): boolean {
  return (
    entry.status === 'in-use' &&
    entry.testId === testId &&
    (allocatedAt === undefined || entry.allocatedAt === allocatedAt)
  )
}

/** Throws NotTheHolder unless this very lease is what holds the entry now. */
export function demandHolder(place: PoolPlace, entry: PoolEntry, holder: Holder): void {
  if (isHeldBy(entry, holder)) return
  const lease = holder.allocatedAt === undefined ? '' : `, allocated at ${holder.allocatedAt}`
  const found =
    entry.status === 'in-use'
      ? `it is held by test ${quote(entry.testId)}, allocated at ${entry.allocatedAt}`
      : `it is ${entry.status}`
  throw new PoolwrightError(
    'NotTheHolder',
    `${nameEntry(place, entry.address)} is not held by test ${quote(holder.testId)}${lease}: ${found}.`,
  )
}

export function nameEntry(place: PoolPlace, address: string): string {
  return `Entry ${address} of ConfigMap ${place.namespace}/${place.configMap}`
}

function quote(testId: string | undefined): string {
  return JSON.stringify(testId ?? '')
}
