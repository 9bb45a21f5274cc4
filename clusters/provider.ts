import type { Capability } from '../src/contract/capabilities.ts'
import type { ClusterRoles } from '../src/contract/cluster-roles.ts'

/** One rung of the ladder: how its clusters are brought up, found again and taken down. */
export interface ClusterProvider {
  readonly rung: string
  /** The settings that mean something here; any other is refused before anything is started. */
  readonly settings: readonly (keyof ClusterSettings)[]
  /** Its clusters are the run's own, one for each worker; otherwise all workers share one. */
  readonly ownedByRun: boolean
  /** Starts a cluster of this name, or finds the one that is up. */
  up(request: UpRequest): Promise<ClusterDescription>
  /**
   * Undefined where no cluster of this name is up. Where settings tell which cluster is meant, they have to: without any it is
   * the one that was used last.
   */
  status(name: string, settings?: ClusterSettings): Promise<ClusterDescription | undefined>
  /**
   * Ends the cluster and proves that nothing of it is left; no error where there is none. Throws UsageError where a run
   * of another process uses it.
   */
  down(name: string, request?: DownRequest): Promise<void>
  /** A run that `up` was told of is over; absent where clusters are the run's own. */
  release?(name: string, runId: string): Promise<void>
  /** Where a node's kubelet or the whole node can be stopped; absent where nodes are somebody else's. */
  readonly nodes?: NodeOperations
  /** A client outside the cluster's network; absent where there is none. */
  readonly outside?: OutsideVantage
}

/** Runs programs where a client from outside would be. */
export interface OutsideVantage {
  /** Runs this JavaScript (an ES module for Node 20) with these arguments to its end. Never rejects for its exit code. */
  run(
    on: OutsideRun,
  ): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>
}

export interface OutsideRun {
  /** The cluster's name. */
  readonly cluster: string
  readonly code: string
  readonly words: readonly string[]
  readonly signal: AbortSignal
}

/** What can be done to a cluster's nodes, named as the cluster names them. Each is safe to repeat. */
export interface NodeOperations {
  /** The kubelet stops; containers run on. */
  stopKubelet(on: NodeOperation): Promise<void>
  startKubelet(on: NodeOperation): Promise<void>
  /** The node is off, at once and with all it ran. */
  kill(on: NodeOperation): Promise<void>
  /** The node is on again, with the address it had; when it is Ready is for the caller to see. */
  bringBack(on: NodeOperation): Promise<void>
}

export interface NodeOperation {
  /** The cluster's name. */
  readonly cluster: string
  readonly node: string
  readonly signal: AbortSignal
}

export interface DownRequest {
  readonly signal: AbortSignal
  /** One line per thing that takes a while, for people. */
  readonly progress: (line: string) => void
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
  /**
   * Puts back what runs left that ended without doing it: called before a cluster that is there is judged by how it is,
   * where something is wrong with it.
   */
  readonly restore?: (cluster: RestorableCluster) => Promise<void>
  /** The run that is to use it: where a cluster outlives runs, nobody takes it away until its process ends. */
  readonly runId?: string
  readonly settings?: ClusterSettings
  /**
   * Installs the distribution packages that bring these programs, where that is allowed; resolves with the programs
   * that are still missing. Absent where nothing may be installed.
   */
  readonly installPrograms?: (programs: readonly string[]) => Promise<readonly string[]>
  /** Asks a person before anything is done to a cluster that is not ours. Absent where there is nobody to ask. */
  readonly confirm?: (question: string) => Promise<boolean>
}

/** What a person may ask of a cluster beyond its name. */
export interface ClusterSettings {
  /** Make it anew although a matching one is there. */
  readonly recreate?: boolean
  /** Build its images from packages, without trying to pull any. */
  readonly fromPackages?: boolean
  readonly nodeImage?: string
  readonly workloadImage?: string
  /** A folder of image archives to load, for machines behind a wall. */
  readonly images?: string
  /** Roles of which there are to be two workers. */
  readonly secondWorkers?: readonly WorkerRole[]
  /** A context of the kubeconfig, where the cluster is somebody else's. */
  readonly context?: string
  /** Path of a kubeconfig; by default what KUBECONFIG or kubectl's own default names. */
  readonly kubeconfig?: string
  /** What changes nodes of somebody else's cluster is confirmed. */
  readonly yes?: boolean
}

/** Where games and their volumes live, and where their auxiliaries do. */
export type WorkerRole = 'data' | 'management'

/** Plain data about a cluster that is up: it crosses process boundaries as JSON. */
export interface ClusterDescription {
  readonly rung: string
  readonly name: string
  /** Path of a kubeconfig file with mode 0600. */
  readonly kubeconfig: string
  /** As /version says, `v1.36.2`. */
  readonly version: string
  readonly capabilities: readonly Capability[]
  /** What stands behind the names that features use; absent where no pods run. */
  readonly roles?: ClusterRoles
  /** Components that this rung doesn't have and something of ours plays, in words for the report. */
  readonly standIns: readonly string[]
  readonly limits: Limits
}

/** What has to be known of a cluster to put right what a run left. */
export type RestorableCluster = Pick<ClusterDescription, 'rung' | 'name' | 'kubeconfig' | 'limits'>

/** Milliseconds that things may take on this rung; a scenario never names one. */
export interface Limits {
  /** A controller's reaction: a Node Ready, a condition set, an object gone. */
  readonly reaction: number
  /** A whole scenario step. */
  readonly step: number
}
