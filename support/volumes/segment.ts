import type { NodeSelectorTerm, Volume } from './volume.ts'

type Expression = NonNullable<NodeSelectorTerm['matchExpressions']>[number]

/**
 * Whether a volume can be used on a node with these labels: one of its terms holds with all its expressions. Without terms
 * on every node. Throws for an operator that no segment of a volume is told by.
 */
export function admits(spec: Volume['spec'], labels: Readonly<Record<string, string>>): boolean {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms
  if (!terms) return true
  return terms.some(
    ({ matchExpressions = [] }) =>
      matchExpressions.length > 0 && matchExpressions.every((expression) => holds(expression, labels)),
  )
}

function holds(
  { key, operator, values = [] }: Expression,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = labels[key]
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    default:
      throw new Error(`a volume is bound to nodes by "${operator}" of label ${key}, which is not understood`)
  }
}
