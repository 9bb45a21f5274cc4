/** What a rung can do, as scenarios ask for it with `@needs-<capability>`, and what can't be proven without it. */
export const CAPABILITIES = {
  'running-pods': 'containers that really run: readiness, logs, connections',
  'workload-image': 'programs of the suite’s own in pods, and with them whatever a pod sees and does',
  'test-nodes': 'two nodes that scenarios may change, one for games and one for their auxiliaries',
  'local-storage': 'volumes on the disk of one node',
  'csi-storage': 'volumes of a CSI driver, bound to a segment',
  'movable-storage': 'a volume that moves from node to node',
  'load-balancer': 'addresses of a load balancer, by pool',
  'node-creation': 'Nodes made and deleted for a scenario',
  'windows-stand-in': 'a Windows operator and a machine controller that scenarios may steer',
  'node-operations': 'a kubelet that stops, a node that is killed and comes back',
  'outside-vantage': 'a client outside the cluster’s network',
} as const

export type Capability = keyof typeof CAPABILITIES
