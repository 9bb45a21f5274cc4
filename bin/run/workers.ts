import { availableParallelism } from 'node:os'
import type { ClusterProvider } from '../../clusters/provider.ts'

/** More than these wait for each other's turn on the cores that clusters and reports need as well. */
const MOST = 4
/** On a cluster that they share: scenarios there wait for pods more than they work, but for the nodes in turn. */
const SHARING = 3

/** What decides how many workers a run has where nobody said it. */
export interface Choice {
  readonly provider: Pick<ClusterProvider, 'ownedByRun'>
  readonly paths: readonly string[]
  readonly tags?: string
}

/**
 * For the whole suite one per core where each worker has a cluster to itself, and some where they share one. One alone for a
 * selection, which is over before a second worker has started, and whose lines are then in one order.
 */
export function chooseWorkers(
  { provider, paths, tags }: Choice,
  cores: number = availableParallelism(),
): number {
  const whole = paths.length === 0 && tags === undefined
  if (!whole) return 1
  return provider.ownedByRun ? Math.min(cores, MOST) : SHARING
}
