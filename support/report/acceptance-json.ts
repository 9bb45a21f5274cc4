import type { Acceptance } from './acceptance.ts'
import type { CellResult } from './matrix.ts'
import type { Scenario, Verdict } from './model.ts'
import { ranOf } from './summary.ts'

interface AcceptanceJson {
  readonly run: string
  readonly startedAt: string
  readonly cluster: { readonly rung: string; readonly version: string }
  readonly seconds: number
  /** How many scenarios ran, each counted once however often it was tried. */
  readonly scenarios: number
  readonly criteria: Readonly<Record<string, CriterionJson>>
}

interface CriterionJson {
  readonly verdict: Verdict
  readonly cells: Readonly<Record<string, CellJson>>
}

interface CellJson {
  readonly verdict: Verdict
  readonly reason?: string
  /** `features/pool/allocation.feature:12 The title`. */
  readonly scenarios: readonly string[]
}

/** The matrix for machines: every criterion and cell of the list, in its order. */
export function acceptanceJson({ context, matrix, seconds, summary }: Acceptance): AcceptanceJson {
  const criteria = matrix.families.flatMap((family) => family.criteria)
  return {
    run: context.runId,
    startedAt: context.startedAt,
    cluster: { rung: context.rung, version: context.version },
    seconds,
    scenarios: ranOf(summary),
    criteria: Object.fromEntries(
      criteria.map(({ criterion, verdict, cells }) => [
        criterion.id,
        { verdict, cells: Object.fromEntries(cells.map((cell) => [cell.name, cellJson(cell)])) },
      ]),
    ),
  }
}

function cellJson({ verdict, reason, scenarios }: CellResult): CellJson {
  return { verdict, ...(reason && { reason }), scenarios: scenarios.map(({ scenario }) => titleOf(scenario)) }
}

function titleOf({ uri, line, name }: Scenario): string {
  return `${uri}:${line} ${name}`
}
