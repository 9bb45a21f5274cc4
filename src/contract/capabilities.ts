/** What a rung can do, as scenarios ask for it with `@needs-<capability>`. */
export const CAPABILITIES = [
  /** Containers really run, so readiness, logs and connections exist. */
  'running-pods',
  /** Nodes may be created and deleted at will. */
  'node-creation',
  /** The Windows operator and the machine controller are ours to steer (stand-ins). */
  'windows-stand-in',
  /** A kubelet can be stopped, a node killed and brought back. */
  'node-operations',
  /** Clients can be placed outside the cluster's network. */
  'outside-vantage',
] as const

export type Capability = (typeof CAPABILITIES)[number]
