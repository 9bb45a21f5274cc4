import { readFileSync } from 'node:fs'

/** How a criterion that no scenario can claim is worked out from the rest of the run. */
export type ComputedRule = 'all-np-and-edge' | 'all-edge' | 'error-scenarios' | 'bindings'

export interface Criterion {
  /** `NP-2`. */
  readonly id: string
  readonly text: string
  /** Names as tags spell them after the dot; a computed criterion has the single cell `computed`. */
  readonly cells: readonly string[]
  /** What a cell's short name stands for, where that needs saying. */
  readonly notes?: Readonly<Record<string, string>>
  readonly computed?: ComputedRule
  readonly rule?: string
  readonly evidence?: string
  readonly expected?: string
}

export interface Family {
  /** `NP`. */
  readonly id: string
  readonly title: string
  readonly subject: string
  /** Not built yet: its cells are missing until it is. */
  readonly status?: 'later'
  readonly criteria: readonly Criterion[]
}

/** Reads the acceptance list, which is data so that the matrix can never be a person's word. */
export function readFamilies(): readonly Family[] {
  const list = readFileSync(new URL('../../features/criteria.json', import.meta.url), 'utf8')
  return (JSON.parse(list) as { families: Family[] }).families
}
