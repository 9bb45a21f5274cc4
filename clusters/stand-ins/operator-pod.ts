import type { ConfigMap, KubernetesObject } from '../../src/contract/kubernetes.ts'
import { WINDOWS_STAND_IN_CONFIG_MAP, WMCO_DEPLOYMENT, WMCO_NAMESPACE } from '../../src/contract/names.ts'
import { isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { type Condition, says, transition } from './conditions.ts'
import { runController } from './controller.ts'
import { eachApart } from './each-apart.ts'
import { isOf } from './ensure.ts'
import type { Log } from './log.ts'
import { readSteering } from './steering.ts'

const PODS = collectionPath('v1', 'pods', WMCO_NAMESPACE)

/** A pod's readiness gate: the kubelet counts the pod as ready only while this condition holds. */
const UP = 'poolwright.dev/operator-up'

/** A pod that does nothing, on the control plane like all that is not under test; whether it is ready is ours to say. */
export function operatorPodSpec(image: string): object {
  return {
    nodeSelector: { 'kubernetes.io/os': 'linux', [CONTROL_PLANE]: '' },
    tolerations: [{ key: CONTROL_PLANE, operator: 'Exists', effect: 'NoSchedule' }],
    readinessGates: [{ conditionType: UP }],
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'manager', image, imagePullPolicy: 'IfNotPresent', command: ['sleep', 'infinity'] }],
  }
}

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane'

/**
 * Makes the operator's pod ready, or not, as scenarios steer it: the rest follows by itself, up to the Deployment's 1/1
 * or 0/1. For clusters where pods really run.
 */
export function startOperatorGate(
  client: KubeClient,
  log: Log,
  signal: AbortSignal,
): { ready: Promise<void>; ended: Promise<void> } {
  return runController({
    client,
    watches: {
      configMaps: { path: collectionPath('v1', 'configmaps', WMCO_NAMESPACE) },
      pods: { path: PODS, labelSelector: `name=${WMCO_DEPLOYMENT}` },
    },
    async reconcile({ configMaps, pods }) {
      const steering = configMaps.find(({ metadata }) => metadata?.name === WINDOWS_STAND_IN_CONFIG_MAP)
      const { operator } = readSteering(steering as ConfigMap | undefined)
      await eachApart(pods, (pod) => gate(client, pod, operator === 'up', signal))
    },
    resyncMs: 10_000,
    log,
    signal,
  })
}

async function gate(
  client: KubeClient,
  pod: KubernetesObject,
  up: boolean,
  signal: AbortSignal,
): Promise<void> {
  const wanted: Condition = up
    ? { type: UP, status: 'True', reason: 'Up', message: 'the stand-in plays the operator' }
    : {
        type: UP,
        status: 'False',
        reason: 'SteeredDown',
        message: 'a scenario asked for an operator that is down',
      }
  const conditions = (pod.status as { conditions?: Condition[] } | undefined)?.conditions
  if (!isOf('windows-operator', pod) || pod.metadata?.deletionTimestamp || says(conditions, wanted)) return
  const path = objectPath(PODS, pod.metadata?.name ?? '', 'status')
  // Merged by type: the kubelet's own conditions stay.
  const status = { conditions: [transition(conditions, wanted)] }
  await client.patch(path, { status }, 'strategic', signal).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}
