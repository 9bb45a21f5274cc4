import { holdOf } from './scenario-safety.ts'

interface Tagged {
  readonly tags: readonly { readonly name: string }[]
}

/**
 * Whether a scenario may begin while others run on the same cluster: who has the nodes alone is beside nobody who has them,
 * too. The leases see to it as well, but a worker that waits for one is a worker less.
 */
export function maySideBySide(next: Tagged, running: readonly Tagged[]): boolean {
  const hold = holdOf(namesOf(next))
  if (hold === 'none') return true
  const holds = running.map((one) => holdOf(namesOf(one)))
  return holds.every((other) => other === 'none' || (hold === 'beside others' && other === hold))
}

function namesOf({ tags }: Tagged): readonly string[] {
  return tags.map(({ name }) => name)
}
