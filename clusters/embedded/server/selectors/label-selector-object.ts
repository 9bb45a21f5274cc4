import { listAt, objectAt, own, textAt } from '../json/access.ts'

type Labels = Readonly<Record<string, string>>

/** Whether labels meet a metav1.LabelSelector. */
export function labelsMatch(selector: unknown, labels: Labels): boolean {
  return (
    Object.entries(objectAt(selector, 'matchLabels')).every(([key, value]) => own(labels, key) === value) &&
    listAt(selector, 'matchExpressions').every((each) => meets(each, labels))
  )
}

/** A metav1.LabelSelector as kubectl shows it. */
export function selectorText(selector: unknown): string {
  const equalities = Object.entries(objectAt(selector, 'matchLabels')).map(
    ([key, value]) => `${key}=${String(value)}`,
  )
  const expressions = listAt(selector, 'matchExpressions').map((each) => {
    const [key, operator, values] = [textAt(each, 'key'), textAt(each, 'operator'), listAt(each, 'values')]
    if (operator === 'Exists') return key
    if (operator === 'DoesNotExist') return `!${key}`
    return `${key} ${operator.toLowerCase()} (${[...values].sort().join(',')})`
  })
  return [...equalities, ...expressions].sort().join(',')
}

function meets(expression: unknown, labels: Labels): boolean {
  const value = own(labels, textAt(expression, 'key'))
  const values = listAt(expression, 'values')
  switch (textAt(expression, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    default:
      return value === undefined
  }
}
