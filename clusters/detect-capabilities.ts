import type { Capability } from '../src/contract/capabilities.ts'
import type { KubernetesObject } from '../src/contract/kubernetes.ts'
import { STAND_IN_LABEL, WMCO_DEPLOYMENT, WMCO_NAMESPACE } from '../src/contract/names.ts'
import { ApiStatusError, isNotFound } from '../src/kube/api-status-error.ts'
import type { KubeClient } from '../src/kube/client.ts'
import { listAll } from '../src/kube/list.ts'
import { collectionPath, objectPath } from '../src/kube/paths.ts'
import { servesOpenShift } from './openshift-api.ts'

interface ClusterNode extends KubernetesObject {
  status?: { conditions?: { type?: string; status?: string }[] }
}

const REVIEWS = collectionPath('authorization.k8s.io/v1', 'selfsubjectaccessreviews')

/** What the API of a cluster shows that can be done on it. What lies outside the API its provider adds. */
export async function detectCapabilities(client: KubeClient, signal: AbortSignal): Promise<Capability[]> {
  const [pods, nodes, standIn] = await Promise.all([
    runsPods(client, signal),
    mayCreateNodes(client, signal),
    hasStandIn(client, signal),
  ])
  return [
    ...(pods ? ['running-pods' as const] : []),
    ...(nodes ? ['node-creation' as const] : []),
    ...(standIn ? ['windows-stand-in' as const] : []),
  ]
}

/** A Node that is Ready and played by nobody has a kubelet. */
async function runsPods(client: KubeClient, signal: AbortSignal): Promise<boolean> {
  const { objects } = await listAll<ClusterNode>(client, { path: collectionPath('v1', 'nodes'), signal })
  return objects.some(
    ({ metadata, status }) =>
      !metadata?.labels?.[STAND_IN_LABEL] &&
      status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
  )
}

/** On OpenShift a Node without a machine is somebody's alarm, whatever the rights. */
async function mayCreateNodes(client: KubeClient, signal: AbortSignal): Promise<boolean> {
  if (await servesOpenShift(client, signal)) return false
  const verbs = await Promise.all(['create', 'delete'].map((verb) => may(client, verb, 'nodes', signal)))
  return verbs.every(Boolean)
}

async function may(
  client: KubeClient,
  verb: string,
  resource: string,
  signal: AbortSignal,
): Promise<boolean> {
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { verb, resource } },
  }
  const { status } = await client.create<{ status?: { allowed?: boolean } }>(REVIEWS, review, signal)
  return status?.allowed === true
}

async function hasStandIn(client: KubeClient, signal: AbortSignal): Promise<boolean> {
  const path = objectPath(collectionPath('apps/v1', 'deployments', WMCO_NAMESPACE), WMCO_DEPLOYMENT)
  try {
    const { metadata } = await client.get(path, signal)
    return metadata?.labels?.[STAND_IN_LABEL] !== undefined
  } catch (error) {
    // Who may not look is not told whether there is one.
    if (isNotFound(error) || (error instanceof ApiStatusError && error.code === 403)) return false
    throw error
  }
}
