import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { WMCO_DEPLOYMENT, WMCO_NAMESPACE } from '../../src/contract/names.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { type Condition, says, transition } from './conditions.ts'
import { ensure, isOf, standInLabels } from './ensure.ts'
import { operatorPodSpec } from './operator-pod.ts'
import type { Steering } from './steering.ts'

export const DEPLOYMENTS = collectionPath('apps/v1', 'deployments', WMCO_NAMESPACE)

interface DeploymentStatus {
  readyReplicas?: number
  conditions?: Condition[]
}

/**
 * Shows the operator as a Deployment that is 1/1, 0/1 or absent. One that the stand-in did not make is the real
 * operator's and is left alone. With an image a pod of it really runs, whose readiness is for operator-pod.ts to say
 * and whose Deployment's status is its controller's; without one nobody runs it, and the status is played here.
 */
export async function reconcileDeployment(
  client: KubeClient,
  found: KubernetesObject | undefined,
  steering: Steering,
  image: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (found && !isOf('windows-operator', found)) return
  const path = objectPath(DEPLOYMENTS, WMCO_DEPLOYMENT)
  if (steering.operator === 'absent') {
    if (found) await client.delete(path, undefined, signal)
    return
  }
  // Its status follows when the new object is seen.
  if (!found) return ensure(client, DEPLOYMENTS, deployment(image), signal)
  if (image !== undefined) return
  const ready = steering.operator === 'up'
  const status = found.status as DeploymentStatus | undefined
  const available: Condition = ready
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      }
  if (says(status?.conditions, available) && (status?.readyReplicas ?? 0) === (ready ? 1 : 0)) return
  const condition = transition(status?.conditions, available)
  const counts = ready
    ? { readyReplicas: 1, availableReplicas: 1, unavailableReplicas: null }
    : { readyReplicas: null, availableReplicas: null, unavailableReplicas: 1 }
  await client.patch(
    `${path}/status`,
    {
      status: {
        observedGeneration: found.metadata?.generation,
        replicas: 1,
        updatedReplicas: 1,
        ...counts,
        conditions: [{ ...condition, lastUpdateTime: condition.lastTransitionTime }],
      },
    },
    'merge',
    signal,
  )
}

function deployment(image: string | undefined): KubernetesObject {
  const labels = { name: WMCO_DEPLOYMENT, ...standInLabels('windows-operator') }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: WMCO_DEPLOYMENT, namespace: WMCO_NAMESPACE, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: { name: WMCO_DEPLOYMENT } },
      template: { metadata: { labels }, spec: image === undefined ? NEVER_RUN : operatorPodSpec(image) },
    },
  }
}

/** Never pulled or run: whoever sees this name knows what plays the operator here. */
const NEVER_RUN = {
  containers: [{ name: 'manager', image: 'poolwright.invalid/windows-operator-stand-in' }],
}
