import { readFileSync } from 'node:fs'
import type { Limits } from '../clusters/provider.ts'
import type { Capability } from '../src/contract/capabilities.ts'
import type { ClusterRoles } from '../src/contract/cluster-roles.ts'

/** The environment variable that names the run's context file; the command line writes it, Cucumber reads it. */
export const RUN_CONTEXT_VARIABLE = 'POOLWRIGHT_RUN_CONTEXT'

/** All that Cucumber and its hooks are told about a run. Plain data: it crosses process boundaries as JSON. */
export interface RunContext {
  readonly runId: string
  /** RFC 3339. */
  readonly startedAt: string
  /** Git commit of the sources that run, with what was changed since; empty or absent where there is none. */
  readonly commit?: string
  readonly rung: string
  /** The cluster's name, by which its provider knows it; the first one's where each worker has its own. */
  readonly cluster: string
  /** What its kubeconfig calls it, where it is somebody else's and was named. */
  readonly kubeContext?: string
  /** The cluster's own version, `v1.36.2`. */
  readonly version: string
  readonly capabilities: readonly Capability[]
  /** What stands behind the names that features use; absent where no pods run. */
  readonly roles?: ClusterRoles
  readonly standIns: readonly string[]
  readonly limits: Limits
  /** One per worker, chosen by CUCUMBER_WORKER_ID; a single one serves all where a cluster is shared. */
  readonly kubeconfigs: readonly string[]
  /** Path of the module whose default export is the Implementation under test. */
  readonly implementation: string
  /** Absolute path of the folder of the suite's features, those that a run leaves out too; absent for the project's own. */
  readonly features?: string
  /** Absolute path of the folder that reports go to. */
  readonly reports: string
}

/** Reads the context that the command line left for this Cucumber process. */
export function readRunContext(): RunContext {
  const path = process.env[RUN_CONTEXT_VARIABLE]
  if (!path) throw new Error(`${RUN_CONTEXT_VARIABLE} is not set: start the suite with "poolwright test"`)
  return JSON.parse(readFileSync(path, 'utf8')) as RunContext
}
