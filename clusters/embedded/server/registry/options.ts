import { badRequest, invalid } from '../status.ts'
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  tooLong,
} from '../validation/field-error.ts'

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

/** The query parameters of a write that change what it does. */
export interface WriteOptions {
  readonly dryRun: boolean
  readonly fieldValidation: FieldValidation
}

/** Reads them as metav1.CreateOptions, UpdateOptions or PatchOptions. Throws ApiError 422. */
export function writeOptions(
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  query: URLSearchParams,
): WriteOptions {
  const errors: FieldError[] = [...checkDryRun(query.getAll('dryRun'))]
  const fieldValidation = query.get('fieldValidation') ?? ''
  if (!['', 'Strict', 'Warn', 'Ignore'].includes(fieldValidation)) {
    errors.push(notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']))
  }
  if (kind === 'PatchOptions' && query.has('force')) {
    errors.push(forbiddenField('force', 'may not be specified for non-apply patch'))
  }
  errors.push(...checkFieldManager(query.get('fieldManager') ?? ''))
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors)
  return { dryRun: query.has('dryRun'), fieldValidation: (fieldValidation || 'Warn') as FieldValidation }
}

export function checkDryRun(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])]
}

const LONGEST_FIELD_MANAGER_BYTES = 128

/** Who writes is not kept yet (managedFields), but it is checked. */
function checkFieldManager(name: string): FieldError[] {
  const errors: FieldError[] = []
  if (Buffer.byteLength(name) > LONGEST_FIELD_MANAGER_BYTES)
    errors.push(tooLong('fieldManager', LONGEST_FIELD_MANAGER_BYTES))
  const position = Array.from(name).findIndex((character) => !/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character))
  if (position >= 0) {
    const code = (Array.from(name)[position]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    errors.push(invalidValue('fieldManager', name, `invalid character U+${code} (at position ${position})`))
  }
  return errors
}

/** A whole number of the query. Throws ApiError 400. */
export function numberOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^-?\d+$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  }
  return Number(text)
}
