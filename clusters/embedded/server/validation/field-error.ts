/** The kinds of complaint Kubernetes makes about a field; also the `reason` of a Status cause. */
export type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'FieldValueDuplicate'
  | 'FieldValueNotFound'

/** One complaint about one field, worded as k8s.io/apimachinery/pkg/util/validation/field does. */
export interface FieldError {
  readonly type: FieldErrorType
  readonly field: string
  /** Absent where Kubernetes does not print the value. */
  readonly value?: unknown
  readonly detail: string
}

const TITLES: Record<FieldErrorType, string> = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueNotFound: 'Not found',
}

/** The text of a complaint without its field. */
export function body(error: FieldError): string {
  const value = error.value === undefined ? '' : `: ${shown(error.value)}`
  return `${TITLES[error.type]}${value}${error.detail === '' ? '' : `: ${error.detail}`}`
}

export function required(field: string, detail = ''): FieldError {
  return { type: 'FieldValueRequired', field, detail }
}

export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, value: value ?? null, detail }
}

export function forbiddenField(field: string, detail: string): FieldError {
  return { type: 'FieldValueForbidden', field, detail }
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const list = supported.map((each) => JSON.stringify(each)).join(', ')
  return {
    type: 'FieldValueNotSupported',
    field,
    value,
    detail: list === '' ? '' : `supported values: ${list}`,
  }
}

export function tooLong(field: string, maximum: number): FieldError {
  return {
    type: 'FieldValueTooLong',
    field,
    detail: `may not be more than ${maximum} byte${maximum === 1 ? '' : 's'}`,
  }
}

export function duplicate(field: string, value: unknown): FieldError {
  return { type: 'FieldValueDuplicate', field, value, detail: '' }
}

/** Go escapes these in the JSON of a composite value, not in a quoted string. */
function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return typeof value !== 'object'
    ? text
    : text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026')
}
