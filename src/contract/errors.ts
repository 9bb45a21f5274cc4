import { ERROR_KINDS, type ErrorCode } from './error-codes.ts'

/** An operation of the implementation failed in a way its caller can act on. The message alone is enough to act. */
export class PoolwrightError extends Error {
  readonly code: ErrorCode
  readonly fallbackAllowed: boolean
  readonly remedy: string

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'PoolwrightError'
    this.code = code
    this.fallbackAllowed = ERROR_KINDS[code].fallbackAllowed
    this.remedy = ERROR_KINDS[code].remedy
  }
}

/** The user called us wrongly or the machine lacks something: one clear line, exit code 2. */
export class UsageError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'UsageError'
  }
}
