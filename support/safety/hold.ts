/** Without it no scenario changes the cluster. */
export const CHANGES_TAG = '@changes-cluster'
/** Takes all of something that the cluster has only once, and changes nothing. */
const ALONE_TAG = '@alone'
/** Its pods run on the nodes, where another's drill would hit them. */
const USES_TAG = '@needs-running-pods'
/** Scenarios that have a lease from beginning to end: all that need the nodes in any way. */
export const HOLDING_TAGS = `${CHANGES_TAG} or ${ALONE_TAG} or ${USES_TAG}`

/**
 * How a scenario has a cluster that others use, too: it needs no nodes; it leaves them as they are; it has them for itself; or
 * it makes and removes Nodes of hosts, which every allocation looks at by address, so that nothing at all may run beside it.
 */
export type Hold = 'none' | 'beside others' | 'alone' | 'by itself'

export function holdOf(tags: readonly string[]): Hold {
  const uses = tags.includes(USES_TAG)
  if (tags.includes(CHANGES_TAG) && !uses) return 'by itself'
  if (tags.includes(CHANGES_TAG) || tags.includes(ALONE_TAG)) return 'alone'
  return uses ? 'beside others' : 'none'
}
