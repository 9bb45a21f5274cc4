import { DecodeError } from './decode-error.ts'

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const DECIMAL: Record<string, number> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
const QUANTITY = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d{1,3})?$/

/** resource.Quantity in its canonical form: the largest unit that leaves no fraction, in the family of units it was given in. */
export function canonicalQuantity(text: string): string {
  const match = QUANTITY.exec(text.trim())
  if (match === null) {
    throw new DecodeError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    )
  }
  const [, sign, digits, suffix = ''] = match as unknown as [string, string, string, string | undefined]
  const nano = toNano(digits, suffix)
  if (nano === 0n) return '0'
  const minus = sign === '-' ? '-' : ''
  if (suffix.endsWith('i')) return minus + (binary(nano) ?? decimal(nano))
  return minus + (/^[eE]/.test(suffix) ? exponent(nano) : decimal(nano))
}

/** A quantity in billionths, rounded up: Kubernetes keeps no more. */
function toNano(digits: string, suffix: string): bigint {
  const [whole = '', fraction = ''] = digits.split('.')
  const mantissa = BigInt(whole + fraction || '0')
  const power = BINARY.indexOf(suffix)
  if (power > 0)
    return divideUp(mantissa * 1024n ** BigInt(power) * 10n ** 9n, 10n ** BigInt(fraction.length))
  const scale = (DECIMAL[suffix] ?? Number(suffix.slice(1))) + 9 - fraction.length
  return scale >= 0 ? mantissa * 10n ** BigInt(scale) : divideUp(mantissa, 10n ** BigInt(-scale))
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

function binary(nano: bigint): string | undefined {
  if (nano % 10n ** 9n !== 0n) return undefined
  let value = nano / 10n ** 9n
  let power = 0
  if (value < 1024n) return undefined
  while (power < BINARY.length - 1 && value % 1024n === 0n) {
    value /= 1024n
    power++
  }
  return `${value}${BINARY[power]}`
}

function decimal(nano: bigint): string {
  let value = nano
  const units = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
  let unit = 0
  while (unit < units.length - 1 && value % 1000n === 0n) {
    value /= 1000n
    unit++
  }
  return `${value}${units[unit]}`
}

function exponent(nano: bigint): string {
  let value = nano
  let power = -9
  while (value % 1000n === 0n && power < 18) {
    value /= 1000n
    power += 3
  }
  return power === 0 ? `${value}` : `${value}e${power}`
}
