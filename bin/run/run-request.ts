import type { ClusterProvider, ClusterSettings } from '../../clusters/provider.ts'

/** One run of the suite as asked for, after the command line has checked and completed it. Paths are absolute. */
export interface RunRequest {
  /** Feature files, folders or `file:line`; empty means the suite's own features. */
  readonly paths: readonly string[]
  readonly provider: ClusterProvider
  /** Which cluster, where they outlive a run; the default one without it. */
  readonly name?: string
  /** What was asked of the cluster beyond the rung. */
  readonly settings?: ClusterSettings
  readonly tags?: string
  /** Workers, each with a cluster of its own where the run owns them; 1 runs in one thread, without the cost of a worker. */
  readonly parallel: number
  readonly retry: number
  /** Criteria that must have passed, `NP-2` or `NP-2.release`. */
  readonly require: readonly string[]
  readonly implementation: string
  readonly reports: string
  /** Cucumber's configuration file; its folder is the suite's root. */
  readonly configuration: string
  /** Leave Allure's results and its pages beside the acceptance pages. */
  readonly allure: boolean
  /** Missing distribution packages may be installed. */
  readonly systemPackages: boolean
}
