import type { Criterion } from './criteria.ts'
import type { Scenario } from './model.ts'

/** A cell of the acceptance list, `NP-2` and `release`. */
export interface Cell {
  readonly criterion: string
  readonly cell: string
}

export interface Claims {
  readonly cells: readonly Cell[]
  /** Claims that the acceptance list does not know, each naming the tag and what to do. */
  readonly errors: readonly string[]
}

const CRITERION_TAG = /^@(?<id>[A-Z]+-\d+)(?:\.(?<cell>.+))?$/

/** Which cells a scenario says it proves: `@NP-2.release`, or `@AP-6` with a column `cell` beside it. */
export function claimsOf(
  scenario: Pick<Scenario, 'tags' | 'example'>,
  criteria: ReadonlyMap<string, Criterion>,
): Claims {
  const cells: Cell[] = []
  const errors: string[] = []
  const named = scenario.tags.flatMap(readTag)
  const dotted = new Set(named.filter(({ cell }) => cell !== undefined).map(({ id }) => id))
  for (const { id, cell } of named) {
    if (cell === undefined && scenario.example.cell === undefined && dotted.has(id)) continue
    const claimed = cell ?? scenario.example.cell
    const error = refusal(criteria.get(id), id, claimed)
    if (error) errors.push(error)
    else cells.push({ criterion: id, cell: claimed as string })
  }
  return { cells, errors }
}

function readTag(tag: string): { id: string; cell: string | undefined }[] {
  const groups = CRITERION_TAG.exec(tag)?.groups
  return groups?.id === undefined ? [] : [{ id: groups.id, cell: groups.cell }]
}

function refusal(criterion: Criterion | undefined, id: string, cell: string | undefined): string | undefined {
  if (!criterion) return `tag @${id}: no such criterion in features/criteria.json`
  if (criterion.computed) return `tag @${id}: ${id} is computed from the run, no scenario can claim it`
  if (cell === undefined) return `tag @${id}: names no cell; write @${id}.CELL, or add a column "cell"`
  if (criterion.cells.includes(cell)) return undefined
  return `cell ${id}.${cell}: ${id} has no such cell, only ${criterion.cells.join(', ')}`
}
