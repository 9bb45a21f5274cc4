import type { KubernetesObject } from '../../src/contract/kubernetes.ts'

/** What a drain looks at of a pod. */
export interface DrainedPod extends KubernetesObject {
  spec?: { nodeName?: string; volumes?: readonly { readonly emptyDir?: object | null }[] }
  status?: { phase?: string }
}

interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly controller?: boolean
}

/** The name and namespace of an object, and which object of that name it is. */
export interface PodKey {
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

export function keyOf({ metadata }: DrainedPod): PodKey {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '', uid: metadata?.uid ?? '' }
}

/** `namespace/name`. */
export function showKey({ namespace, name }: Omit<PodKey, 'uid'>): string {
  return `${namespace}/${name}`
}

/** Who replaces the pod; undefined where nobody does. */
export function controllerOf({ metadata }: DrainedPod): OwnerReference | undefined {
  const owners = (metadata?.ownerReferences ?? []) as readonly OwnerReference[]
  return owners.find(({ controller }) => controller)
}

/** Its containers have ended for good. */
export function isFinished({ status }: DrainedPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}
