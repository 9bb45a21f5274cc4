import { type FieldError, invalidValue } from './field-error.ts'

export function nonNegative(field: string, value: unknown): FieldError[] {
  return typeof value === 'number' && value < 0
    ? [invalidValue(field, value, 'must be greater than or equal to 0')]
    : []
}

/** An IntOrString that is a count or a percentage, such as maxSurge. */
export function percentOrCount(field: string, value: unknown): FieldError[] {
  if (typeof value === 'number') return nonNegative(field, value)
  if (value === undefined || /^\d+%$/.test(String(value))) return []
  return [
    invalidValue(
      field,
      value,
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ),
  ]
}
