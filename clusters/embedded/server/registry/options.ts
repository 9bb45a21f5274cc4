import { invalid } from '../status.ts'
import { type FieldError, forbiddenField, notSupported } from '../validation/field-error.ts'

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
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors)
  return { dryRun: query.has('dryRun'), fieldValidation: (fieldValidation || 'Warn') as FieldValidation }
}

export function checkDryRun(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])]
}
