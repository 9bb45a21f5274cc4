import { listAt, objectAt, textAt } from '../json/access.ts'
import { type FieldError, forbiddenField, invalidValue, required } from './field-error.ts'
import { validateLabels } from './metadata.ts'
import { labelValue, qualifiedName } from './names.ts'

/** metav1.LabelSelector, strictly. */
export function validateLabelSelector(selector: unknown, field: string): FieldError[] {
  const labels = objectAt(selector, 'matchLabels') as Record<string, string>
  return [
    ...validateLabels(labels, `${field}.matchLabels`),
    ...listAt(selector, 'matchExpressions').flatMap((each, index) =>
      expression(each, `${field}.matchExpressions[${index}]`),
    ),
  ]
}

function expression(given: unknown, field: string): FieldError[] {
  const [key, operator, values] = [textAt(given, 'key'), textAt(given, 'operator'), listAt(given, 'values')]
  const errors: FieldError[] = []
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      errors.push(required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"))
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      errors.push(
        forbiddenField(
          `${field}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      )
    }
  } else errors.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'))
  errors.push(...qualifiedName(key).map((message) => invalidValue(`${field}.key`, key, message)))
  for (const [index, value] of values.entries()) {
    errors.push(
      ...labelValue(String(value)).map((message) =>
        invalidValue(`${field}.values[${index}]`, value, message),
      ),
    )
  }
  return errors
}
