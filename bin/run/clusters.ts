import type { ClusterDescription, ClusterProvider } from '../../clusters/provider.ts'

/** The clusters of one run: one per worker, so that scenarios side by side never meet. */
export interface RunClusters {
  /** In the order of the workers. */
  readonly up: Promise<readonly ClusterDescription[]>
  /** Gives up what is still starting and takes all of them down; safe to repeat. */
  down(): Promise<void>
}

/** Starts them side by side. They end with this process, however it ends. */
export function startClusters(request: {
  readonly provider: ClusterProvider
  readonly runId: string
  readonly count: number
  readonly signal: AbortSignal
  readonly progress: (line: string) => void
}): RunClusters {
  const giveUp = new AbortController()
  const signal = AbortSignal.any([request.signal, giveUp.signal])
  const names = Array.from({ length: request.count }, (_, worker) => `run-${request.runId}-${worker}`)
  const starting = names.map((name) =>
    request.provider.up({ name, signal, progress: request.progress, lifetime: 'command' }),
  )
  const up = Promise.all(starting)
  up.catch(() => undefined)
  return {
    up,
    down: async () => {
      giveUp.abort(new Error('the run is over'))
      await Promise.allSettled(starting)
      await Promise.all(names.map((name) => request.provider.down(name)))
    },
  }
}
