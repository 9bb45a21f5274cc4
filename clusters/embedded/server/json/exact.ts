/** A JSON number that a double cannot hold, kept as its text: `JSON.stringify` writes it back digit for digit. */
export interface ExactNumber {
  readonly rawJSON: string
}

export type JsonObject = Record<string, unknown>

/** A number that neither an int64 nor a double holds. */
export class NumberRangeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NumberRangeError'
  }
}

/** JSON with the number types of ECMAScript's source text access proposal, which the runtime has and the library types lack. */
interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown
  rawJSON(text: string): ExactNumber
  isRawJSON(value: unknown): value is ExactNumber
}
const exactJson = JSON as unknown as ExactJson

/** Parses JSON without losing a digit of any int64: an object is stored and handed out as it was sent. Throws SyntaxError, NumberRangeError. */
export function parseExact(text: string): unknown {
  if (!/\d{16}|[eE]\+?\d{3}/.test(text)) return JSON.parse(text)
  return exactJson.parse(text, (_key, value, context) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && context.source !== undefined
      ? exactNumber(value, context.source)
      : value,
  )
}

function exactNumber(value: number, source: string): number | ExactNumber {
  if (isInt64(source)) return exactJson.rawJSON(source)
  if (Number.isFinite(value)) return value
  throw new NumberRangeError(`json: cannot unmarshal number ${source} into Go value of type float64`)
}

/** The JSON number of an integer of any size up to int64, from its decimal digits. */
export function exactInteger(digits: string): number | ExactNumber {
  const value = Number(digits)
  return Number.isSafeInteger(value) || !isInt64(digits) ? value : exactJson.rawJSON(digits)
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return exactJson.isRawJSON(value)
}

/** A JSON object, as opposed to null, an array or an exact number. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !exactJson.isRawJSON(value)
}

export function isInteger(value: unknown): value is number | ExactNumber {
  return Number.isInteger(value) || exactJson.isRawJSON(value)
}

function isInt64(source: string): boolean {
  if (!/^-?\d{1,19}$/.test(source)) return false
  const value = BigInt(source)
  return value >= -(2n ** 63n) && value < 2n ** 63n
}
