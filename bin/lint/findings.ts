import { CHANGES_HOSTS_TAG, CHANGES_TAG } from '../../support/safety/hold.ts'
import { wrongAddresses } from './addresses.ts'
import type { ScenarioNature } from './scenario-natures.ts'

export interface Finding {
  /** A refusal fails the lint, a warning does not. */
  readonly weight: 'refused' | 'warning'
  readonly place: string
  readonly message: string
}

/**
 * Steps that nothing fits, where what scenarios are tagged with and what their steps do differ, and addresses in which scenarios
 * would meet.
 */
export function findings(natures: readonly ScenarioNature[]): readonly Finding[] {
  return natures.flatMap((nature) => [
    ...unknownSteps(nature),
    ...wrongTags(nature, CLUSTER),
    ...wrongTags(nature, HOSTS),
    ...sharedAddresses(nature),
    ...realHosts(nature),
  ])
}

/** A scenario that is skipped where its author runs it would tell of them elsewhere only. */
function unknownSteps({ name, place, unknown }: ScenarioNature): Finding[] {
  return unknown.map(({ step, nearest }) => {
    const like = nearest.length > 0 ? `; nearest: ${nearest.join(' | ')}` : ''
    return { weight: 'refused', place, message: `"${name}" has a step that there is not: "${step}"${like}` }
  })
}

/** Only where nobody's hosts are at stake. */
const STAND_IN_TAG = '@needs-windows-stand-in'

interface Kind {
  readonly changes: keyof ScenarioNature['changing']
  readonly what: string
  readonly tag: string
}

const CLUSTER: Kind = { changes: 'cluster', what: 'the cluster', tag: CHANGES_TAG }
const HOSTS: Kind = { changes: 'windows-hosts', what: 'Windows hosts', tag: CHANGES_HOSTS_TAG }

function wrongTags(
  { name, place, tags, changing, unknown }: ScenarioNature,
  { changes, what, tag }: Kind,
): Finding[] {
  const [first, ...others] = changing[changes]
  const isTagged = tags.includes(tag)
  if (first !== undefined && !isTagged) {
    const more = others.length > 0 ? ` and ${others.length} more` : ''
    const message = `"${name}" changes ${what} by ${first}${more}: tag it ${tag}`
    return [{ weight: 'refused', place, message }]
  }
  // Who knows what those do.
  if (first === undefined && isTagged && unknown.length === 0) {
    const message = `"${name}" is tagged ${tag}, and none of its steps changes ${what}`
    return [{ weight: 'warning', place, message }]
  }
  return []
}

/** What would change a real operator's hosts runs on no cluster that has one. */
function realHosts({ name, place, tags }: ScenarioNature): Finding[] {
  if (!tags.includes(CHANGES_HOSTS_TAG) || tags.includes(STAND_IN_TAG)) return []
  const message = `"${name}" is tagged ${CHANGES_HOSTS_TAG}: tag it ${STAND_IN_TAG}, too`
  return [{ weight: 'refused', place, message }]
}

function sharedAddresses({ name, place, tags, texts }: ScenarioNature): Finding[] {
  return wrongAddresses(texts, tags).map((message) => ({
    weight: 'refused',
    place,
    message: `"${name}" ${message}`,
  }))
}
