import type { Capability } from '../src/contract/capabilities.ts'

/** One rung of the ladder: how its clusters are brought up, found again and taken down. */
export interface ClusterProvider {
  readonly rung: string
  /** Its clusters are the run's own, one for each worker; otherwise all workers share one. */
  readonly ownedByRun: boolean
  /** Starts a cluster of this name, or finds the one that is up. */
  up(request: UpRequest): Promise<ClusterDescription>
  /** Undefined where no cluster of this name is up. */
  status(name: string): Promise<ClusterDescription | undefined>
  /** Ends the cluster and proves that nothing of it is left; no error where there is none. */
  down(name: string): Promise<void>
}

export interface UpRequest {
  readonly name: string
  readonly signal: AbortSignal
  /** One line per phase, for people. */
  readonly progress: (line: string) => void
  /**
   * 'command': the cluster ends with the process that started it, however that ends. 'detached': it stays until
   * `down`.
   */
  readonly lifetime: 'command' | 'detached'
}

/** Plain data about a cluster that is up: it crosses process boundaries as JSON. */
export interface ClusterDescription {
  readonly rung: string
  readonly name: string
  /** Path of a kubeconfig file with mode 0600. */
  readonly kubeconfig: string
  /** As /version says, `v1.36.2`. */
  readonly version: string
  readonly capabilities: readonly Capability[]
  /** Components that this rung doesn't have and something of ours plays, in words for the report. */
  readonly standIns: readonly string[]
  readonly limits: Limits
}

/** Milliseconds that things may take on this rung; a scenario never names one. */
export interface Limits {
  /** A controller's reaction: a Node Ready, a condition set, an object gone. */
  readonly reaction: number
  /** A whole scenario step. */
  readonly step: number
}
