/** A container engine that answers, as plain data. */
export interface Engine {
  /** Where docker reaches it: `unix:///var/run/docker.sock`. */
  readonly endpoint: string
  /** What docker and kind need in their environment to reach it; nothing where it is docker's own default. */
  readonly environment: Readonly<Record<string, string>>
  /** As it says: `20.10.24`. */
  readonly serverVersion: string
  /** A kubelet refuses version 1 unless it is told otherwise. */
  readonly cgroupVersion: 1 | 2
  /** Folder on the engine's machine that holds its images and containers. */
  readonly dataRoot: string
  /** Started by us: ours to fence in, to prune and to stop. */
  readonly ours: boolean
}
