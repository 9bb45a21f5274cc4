import { CHANGES_TAG } from '../../support/safety/scenario-safety.ts'
import type { ScenarioNature } from './scenario-natures.ts'

export interface Finding {
  /** A refusal fails the lint, a warning does not. */
  readonly weight: 'refused' | 'warning'
  readonly place: string
  readonly message: string
}

/** Where what scenarios are tagged with and what their steps do differ. */
export function findings(natures: readonly ScenarioNature[]): readonly Finding[] {
  return natures.flatMap(({ name, place, tags, changing: [first, ...others] }): Finding[] => {
    const isTagged = tags.includes(CHANGES_TAG)
    if (first !== undefined && !isTagged) {
      const more = others.length > 0 ? ` and ${others.length} more` : ''
      const message = `"${name}" changes the cluster by ${first}${more}: tag it ${CHANGES_TAG}`
      return [{ weight: 'refused', place, message }]
    }
    if (first === undefined && isTagged) {
      const message = `"${name}" is tagged ${CHANGES_TAG}, and none of its steps changes the cluster`
      return [{ weight: 'warning', place, message }]
    }
    return []
  })
}
