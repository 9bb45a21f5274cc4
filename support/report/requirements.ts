import { UsageError } from '../../src/contract/errors.ts'
import type { Matrix } from './matrix.ts'
import type { Verdict } from './model.ts'

export interface UnmetRequirement {
  /** As it was asked for: `NP-2`, `NP-2.release`. */
  readonly id: string
  readonly verdict: Verdict
  readonly reason?: string
}

/** Those of the required criteria and cells that did not pass. Throws UsageError for an id that doesn't exist. */
export function unmetRequirements(matrix: Matrix, required: readonly string[]): UnmetRequirement[] {
  const verdicts = new Map<string, UnmetRequirement>()
  for (const { criterion, verdict, cells } of matrix.families.flatMap((family) => family.criteria)) {
    const unmet = cells.filter((cell) => cell.verdict !== 'passed').map((cell) => cell.name)
    const reason = unmet.length > 0 ? { reason: `cells: ${unmet.join(', ')}` } : {}
    verdicts.set(criterion.id, { id: criterion.id, verdict, ...reason })
    for (const cell of cells) {
      const id = `${criterion.id}.${cell.name}`
      verdicts.set(id, { id, verdict: cell.verdict, ...(cell.reason && { reason: cell.reason }) })
    }
  }
  return required.flatMap((id) => {
    const found = verdicts.get(id)
    if (!found) throw new UsageError(`--require ${id}: no such criterion or cell in features/criteria.json`)
    return found.verdict === 'passed' ? [] : [found]
  })
}
