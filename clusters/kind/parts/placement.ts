import type { KubernetesObject } from '../../../src/contract/kubernetes.ts'

/** What a pod template says about where its pods may run. */
interface PodSpec {
  nodeSelector?: Record<string, string>
  tolerations?: object[]
}

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane'

/** Where everything that is not under test runs: no drill touches the control plane. */
export const ON_CONTROL_PLANE = {
  nodeSelector: { [CONTROL_PLANE]: '' },
  tolerations: [{ key: CONTROL_PLANE, operator: 'Exists', effect: 'NoSchedule' }],
} as const

/** A daemon of the cluster's own is on every node that really is one, whatever a drill does to it. */
export const ON_EVERY_NODE = {
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ operator: 'Exists' }],
} as const

/**
 * The manifests of somebody else with our placement: Deployments on the control plane, DaemonSets on every Linux node
 * (the Windows stand-in's Nodes have no kubelet). All else is kept as it is.
 */
export function placed(manifests: readonly KubernetesObject[]): KubernetesObject[] {
  return manifests.map((manifest) => {
    if (manifest.kind === 'Deployment') return withPodSpec(manifest, ON_CONTROL_PLANE)
    if (manifest.kind === 'DaemonSet') return withPodSpec(manifest, ON_EVERY_NODE)
    return manifest
  })
}

function withPodSpec(manifest: KubernetesObject, placement: object): KubernetesObject {
  const copy = structuredClone(manifest) as KubernetesObject & { spec: { template: { spec: PodSpec } } }
  Object.assign(copy.spec.template.spec, structuredClone(placement))
  return copy
}
