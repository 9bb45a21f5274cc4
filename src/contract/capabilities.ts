/** What a rung can do, as scenarios ask for it with `@needs-<capability>`, and what can't be proven without it. */
export const CAPABILITIES = {
  'running-pods': 'containers that really run: readiness, logs, connections',
  'node-creation': 'Nodes made and deleted for a scenario',
  'windows-stand-in': 'a Windows operator and a machine controller that scenarios may steer',
  'node-operations': 'a kubelet that stops, a node that is killed and comes back',
  'outside-vantage': 'a client outside the cluster’s network',
} as const

export type Capability = keyof typeof CAPABILITIES
