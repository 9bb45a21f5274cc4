import type { ClusterDescription, ClusterProvider, UpRequest } from '../../clusters/provider.ts'

/** The clusters of one run: one per worker where they are made for it, so that scenarios side by side never meet. */
export interface RunClusters {
  /** In the order of the workers. */
  readonly up: Promise<readonly ClusterDescription[]>
  /** Gives up what is still starting and takes down what was made for the run; safe to repeat. */
  down(): Promise<void>
}

/** The cluster that a rung whose clusters outlive a run takes, unless it is told otherwise. */
const SHARED_NAME = 'default'

/**
 * Starts them side by side. Those made for the run end with this process, however it ends; one that is shared is there
 * for the next run as well.
 */
export function startClusters(
  request: {
    readonly provider: ClusterProvider
    readonly runId: string
    readonly count: number
    /** Of the cluster that is shared. */
    readonly shared?: string | undefined
  } & Omit<UpRequest, 'name' | 'lifetime' | 'runId'>,
): RunClusters {
  const { provider, runId, count, shared = SHARED_NAME, ...rest } = request
  const giveUp = new AbortController()
  const signal = AbortSignal.any([request.signal, giveUp.signal])
  const names = provider.ownedByRun
    ? Array.from({ length: count }, (_, worker) => `run-${runId}-${worker}`)
    : [shared]
  const lifetime = provider.ownedByRun ? 'command' : 'detached'
  const starting = names.map((name) => provider.up({ ...rest, name, signal, lifetime, runId }))
  const up = Promise.all(starting)
  up.catch(() => undefined)
  return {
    up,
    down: async () => {
      giveUp.abort(new Error('the run is over'))
      await Promise.allSettled(starting)
      await Promise.all(
        names.map((name) => (provider.ownedByRun ? provider.down(name) : provider.release?.(name, runId))),
      )
    },
  }
}
