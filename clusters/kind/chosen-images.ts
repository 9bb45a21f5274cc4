import type { CsiPart } from './parts/csi.ts'

/** The images that a cluster is made of, however they were come by. */
export interface ChosenImages {
  readonly node: string
  /** Absent where there is none: then what needs it is not there either. */
  readonly workload?: string
  /** The node image has no pod network inside, so it takes ours. */
  readonly ownPodNetwork: boolean
  /** What of the CSI parts has its images. */
  readonly csi: readonly CsiPart[]
  /** Image of our own CSI driver; there where a part of `csi` runs it. */
  readonly csiDriver?: string
  /** Images in the engine that the node image doesn't have inside. */
  readonly sideLoaded: readonly string[]
  /** Text of MetalLB's own manifests. */
  readonly metallb: () => Promise<string>
  /** For people: "built from packages", "pulled". */
  readonly origin: string
}
