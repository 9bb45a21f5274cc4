/** The resources that the embedded cluster's first storey promises, by API group; subresources belong to them. */
const PROMISED: Readonly<Record<string, readonly string[]>> = {
  '': ['namespaces', 'configmaps', 'secrets', 'nodes', 'events', 'serviceaccounts'],
  apps: ['deployments'],
  'coordination.k8s.io': ['leases'],
  'events.k8s.io': ['events'],
  'apiextensions.k8s.io': ['customresourcedefinitions'],
}

/** Whether every Poolwright cluster serves this resource, or, with no resource named, something of this group. */
export function servedFromTheStart(group: string, resource?: string): boolean {
  const resources = PROMISED[group]
  return resources !== undefined && (resource === undefined || resources.includes(resource))
}

/** Groups of Kubernetes itself have no dot or end in k8s.io; all others come from definitions. */
export function isBuiltInGroup(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io')
}
