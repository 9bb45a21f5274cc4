import { CHANGES_TAG, holdOf, USES_TAG } from './scenario-safety.ts'

interface Tagged {
  readonly tags: readonly { readonly name: string }[]
}

/**
 * Whether a scenario may begin while others run on the same cluster: who has the nodes alone is beside nobody who has them,
 * too. The leases see to it as well, but a worker that waits for one is a worker less.
 */
export function maySideBySide(next: Tagged, running: readonly Tagged[]): boolean {
  if (running.length === 0) return true
  if ([next, ...running].some(changesWhatPoolsSee)) return false
  const hold = holdOf(namesOf(next))
  if (hold === 'none') return true
  const holds = running.map((one) => holdOf(namesOf(one)))
  return holds.every((other) => other === 'none' || (hold === 'beside others' && other === hold))
}

/** Nodes of Windows hosts come and go, which every allocation looks at: theirs may have the very address of another's entry. */
function changesWhatPoolsSee(scenario: Tagged): boolean {
  const names = namesOf(scenario)
  return names.includes(CHANGES_TAG) && !names.includes(USES_TAG)
}

function namesOf({ tags }: Tagged): readonly string[] {
  return tags.map(({ name }) => name)
}
