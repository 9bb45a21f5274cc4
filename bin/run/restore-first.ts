import type { RestorableCluster } from '../../clusters/provider.ts'
import { UsageError } from '../../src/contract/errors.ts'
import { describeRestored, restoreFailure } from '../../support/safety/restore.ts'
import { restoreCluster } from '../../support/safety/restore-cluster.ts'

/**
 * Puts a cluster that outlives runs back as it was before those that ended without doing it, with a line for each object.
 * Throws a UsageError where that fails: what is built on an unknown cluster proves nothing.
 */
export async function restoreFirst(cluster: RestorableCluster, asked: RestoreAsked): Promise<void> {
  const failure = await restore(cluster, 'from an earlier run', asked)
  if (failure) throw new UsageError(failure.message)
}

/** The same for a run whose Cucumber ended without doing it; answers what could not be put back. */
export async function restoreAfterCrash(
  clusters: readonly RestorableCluster[],
  asked: RestoreAsked,
): Promise<readonly string[]> {
  const failures = await Promise.all(
    clusters.map((cluster) =>
      restore(cluster, 'of a scenario that was ended', asked).catch((error: Error) => {
        asked.signal.throwIfAborted()
        return error
      }),
    ),
  )
  return failures.flatMap((failure) => (failure ? [failure.message] : []))
}

interface RestoreAsked {
  readonly run: string
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

async function restore(
  cluster: RestorableCluster,
  whose: string,
  { run, signal, say }: RestoreAsked,
): Promise<Error | undefined> {
  const restored = await restoreCluster({ cluster, run, signal, say, thorough: false })
  // Others are at work here; that is no news.
  for (const one of restored) if (one.outcome !== 'left') say(`${whose}: ${describeRestored(one)}`)
  return restoreFailure(restored)
}
