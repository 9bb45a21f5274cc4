import { CHANGES_TAG } from '../../support/safety/hold.ts'
import type { ScenarioNature } from './scenario-natures.ts'

export interface Finding {
  /** A refusal fails the lint, a warning does not. */
  readonly weight: 'refused' | 'warning'
  readonly place: string
  readonly message: string
}

/** Steps that nothing fits, and where what scenarios are tagged with and what their steps do differ. */
export function findings(natures: readonly ScenarioNature[]): readonly Finding[] {
  return natures.flatMap((nature) => [...unknownSteps(nature), ...wrongTags(nature)])
}

/** A scenario that is skipped where its author runs it would tell of them elsewhere only. */
function unknownSteps({ name, place, unknown }: ScenarioNature): Finding[] {
  return unknown.map(({ step, nearest }) => {
    const like = nearest.length > 0 ? `; nearest: ${nearest.join(' | ')}` : ''
    return { weight: 'refused', place, message: `"${name}" has a step that there is not: "${step}"${like}` }
  })
}

function wrongTags({ name, place, tags, changing: [first, ...others], unknown }: ScenarioNature): Finding[] {
  const isTagged = tags.includes(CHANGES_TAG)
  if (first !== undefined && !isTagged) {
    const more = others.length > 0 ? ` and ${others.length} more` : ''
    const message = `"${name}" changes the cluster by ${first}${more}: tag it ${CHANGES_TAG}`
    return [{ weight: 'refused', place, message }]
  }
  // Who knows what those do.
  if (first === undefined && isTagged && unknown.length === 0) {
    const message = `"${name}" is tagged ${CHANGES_TAG}, and none of its steps changes the cluster`
    return [{ weight: 'warning', place, message }]
  }
  return []
}
