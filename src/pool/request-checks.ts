import { PoolwrightError } from '../contract/errors.ts'
import { unprintableIn } from './unprintable.ts'

const LONGEST_TEST_ID_BYTES = 1024
const LONGEST_FIELD_BYTES = 253

/** Throws InvalidRequest for a test id that could not be written and read back, or is no name at all. */
export function demandTestId(testId: string): void {
  const refusal = refusesTestId(testId)
  if (refusal) throw new PoolwrightError('InvalidRequest', `The test id ${refusal}.`)
}

function refusesTestId(testId: string): string | undefined {
  if (typeof testId !== 'string' || testId.trim() === '') return 'is empty'
  const bytes = Buffer.byteLength(testId)
  if (bytes > LONGEST_TEST_ID_BYTES) return `has ${bytes} bytes; expected at most ${LONGEST_TEST_ID_BYTES}`
  if (!testId.isWellFormed()) return 'has half a surrogate pair, which no API can carry'
  return undefined
}

/** Throws InvalidRequest for a field of a new entry that its reader would take for malformed. */
export function demandLine(name: string, value: string): void {
  const bytes = Buffer.byteLength(value)
  if (value.trim() === '') throw new PoolwrightError('InvalidRequest', `The ${name} is empty.`)
  if (bytes > LONGEST_FIELD_BYTES)
    throw new PoolwrightError(
      'InvalidRequest',
      `The ${name} has ${bytes} bytes; expected at most ${LONGEST_FIELD_BYTES}.`,
    )
  const character = unprintableIn(value)
  if (character)
    throw new PoolwrightError(
      'InvalidRequest',
      `The ${name} ${JSON.stringify(value)} has the character ${character}; expected one line of text.`,
    )
  if (!value.isWellFormed())
    throw new PoolwrightError(
      'InvalidRequest',
      `The ${name} ${JSON.stringify(value)} has half a surrogate pair, which no API can carry.`,
    )
}

/** Throws InvalidRequest for a value outside a fixed set. */
export function demandOneOf(name: string, allowed: readonly string[], value: string): void {
  if (!allowed.includes(value))
    throw new PoolwrightError(
      'InvalidRequest',
      `The ${name} is ${JSON.stringify(value)}; expected ${allowed.join(' or ')}.`,
    )
}
