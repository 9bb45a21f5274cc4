import { type Hold, holdOf } from './hold.ts'

interface Tagged {
  readonly tags: readonly { readonly name: string }[]
}

/** What may be under way beside each. */
const BESIDE: Readonly<Record<Hold, readonly Hold[]>> = {
  none: ['none', 'beside others', 'alone'],
  'beside others': ['none', 'beside others'],
  alone: ['none'],
  'by itself': [],
}

/**
 * Whether a scenario may begin while others of its run are under way on the same cluster. The leases keep the nodes apart as
 * well, of other runs too, but a worker that waits for one is a worker less. One for which nothing may begin is never asked
 * again (cucumber-js 13): features had better begin with scenarios that may run beside each other.
 */
export function maySideBySide(next: Tagged, running: readonly Tagged[]): boolean {
  const beside = BESIDE[hold(next)]
  return running.every((one) => beside.includes(hold(one)))
}

function hold({ tags }: Tagged): Hold {
  return holdOf(tags.map(({ name }) => name))
}
