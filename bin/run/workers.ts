import { availableParallelism } from 'node:os'
import type { ClusterProvider } from '../../clusters/provider.ts'

/** More than these wait for each other's turn on the cores that clusters and reports need as well. */
const MOST = 4

/** What decides how many workers a run has where nobody said it. */
export interface Choice {
  readonly provider: Pick<ClusterProvider, 'ownedByRun'>
  readonly paths: readonly string[]
  readonly tags?: string
}

/**
 * One per core for the whole suite where each worker has a cluster to itself. One alone for a selection, which is over
 * before a second worker has started, and where workers would share a cluster.
 */
export function chooseWorkers(
  { provider, paths, tags }: Choice,
  cores: number = availableParallelism(),
): number {
  const whole = paths.length === 0 && tags === undefined
  return whole && provider.ownedByRun ? Math.min(cores, MOST) : 1
}
