import type { KubeClient } from '../../src/kube/client.ts'

/** The group of ClusterVersion and its like, which every OpenShift serves and nothing else does. */
const OPENSHIFT_GROUP = 'config.openshift.io'

/** Throws on a cluster whose Windows operator and machine controller may be real: there nothing may play them. */
export async function refuseRealOpenShift(client: KubeClient, signal: AbortSignal): Promise<void> {
  const { groups } = await client.get<{ groups?: { name?: string }[] }>('/apis', signal)
  if (groups?.some(({ name }) => name === OPENSHIFT_GROUP))
    throw new Error(`${client.connection.server} serves ${OPENSHIFT_GROUP}: stand-ins never run on OpenShift`)
}
