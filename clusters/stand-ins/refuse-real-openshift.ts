import type { KubeClient } from '../../src/kube/client.ts'
import { OPENSHIFT_GROUP, servesOpenShift } from '../openshift-api.ts'

/** Throws on a cluster whose Windows operator and machine controller may be real: there nothing may play them. */
export async function refuseRealOpenShift(client: KubeClient, signal: AbortSignal): Promise<void> {
  if (await servesOpenShift(client, signal))
    throw new Error(`${client.connection.server} serves ${OPENSHIFT_GROUP}: stand-ins never run on OpenShift`)
}
