/** Without it no scenario changes nodes, nor anything else outside of namespaces. */
export const CHANGES_TAG = '@changes-cluster'
/** Without it no scenario changes what the Windows operator configures. */
export const CHANGES_HOSTS_TAG = '@changes-windows-hosts'
/** Takes all of something that the cluster has only once, and changes nothing. */
const ALONE_TAG = '@alone'
/** Its pods run on the nodes, where another's drill would hit them. */
const USES_TAG = '@needs-running-pods'
/** Scenarios that have a lease from beginning to end. */
export const HOLDING_TAGS = [CHANGES_TAG, CHANGES_HOSTS_TAG, ALONE_TAG, USES_TAG].join(' or ')

/** What of a cluster that others use, too, a scenario has for itself, and what only together with them. */
export interface Hold {
  /** It needs none; it leaves them as they are; nobody else has a pod there. */
  readonly nodes: 'none' | 'beside others' | 'alone'
  /** Whether it alone tells the Windows operator of hosts, which become Nodes that nothing runs on. */
  readonly windowsHosts: boolean
}

export function holdOf(tags: readonly string[]): Hold {
  const alone = tags.includes(CHANGES_TAG) || tags.includes(ALONE_TAG)
  const beside = tags.includes(USES_TAG) ? 'beside others' : 'none'
  return { nodes: alone ? 'alone' : beside, windowsHosts: tags.includes(CHANGES_HOSTS_TAG) }
}
