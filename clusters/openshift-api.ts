import type { KubeClient } from '../src/kube/client.ts'

/** The group of ClusterVersion and its like, which every OpenShift serves and nothing else does. */
export const OPENSHIFT_GROUP = 'config.openshift.io'

/** Whether the cluster is an OpenShift. */
export async function servesOpenShift(client: KubeClient, signal: AbortSignal): Promise<boolean> {
  const { groups = [] } = await client.get<{ groups?: { name?: string }[] }>('/apis', signal)
  return groups.some(({ name }) => name === OPENSHIFT_GROUP)
}
