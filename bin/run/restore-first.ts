import type { RestorableCluster } from '../../clusters/provider.ts'
import { UsageError } from '../../src/contract/errors.ts'
import { describeRestored, restoreFailure } from '../../support/safety/restore.ts'
import { restoreCluster } from '../../support/safety/restore-cluster.ts'

/**
 * Puts a cluster that outlives runs back as it was before those that ended without doing it, with a line for each object.
 * Throws a UsageError where that fails: what is built on an unknown cluster proves nothing.
 */
export async function restoreFirst(
  cluster: RestorableCluster,
  {
    run,
    signal,
    say,
  }: { readonly run: string; readonly signal: AbortSignal; readonly say: (line: string) => void },
): Promise<void> {
  const restored = await restoreCluster({ cluster, run, signal, say, thorough: false })
  // Others are at work here; that is no news.
  for (const one of restored) if (one.outcome !== 'left') say(`from an earlier run: ${describeRestored(one)}`)
  const failure = restoreFailure(restored)
  if (failure) throw new UsageError(failure.message)
}
