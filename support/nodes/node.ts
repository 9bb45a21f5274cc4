import type { KubernetesObject } from '../../src/contract/kubernetes.ts'

export interface NodeTaint {
  readonly key: string
  readonly value?: string
  readonly effect: string
  readonly timeAdded?: string
}

/** What the suite looks at of a node. */
export interface ClusterNode extends KubernetesObject {
  spec?: { unschedulable?: boolean; taints?: readonly NodeTaint[] }
  status?: {
    allocatable?: Readonly<Record<string, string>>
    conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[]
  }
}

/** `True`, `False`, or `Unknown` where nothing has been heard of its kubelet for too long. */
export function readiness({ status }: ClusterNode): string {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'Unknown'
}

/** In one line, as far as scenarios ask: whether it is Ready, and what keeps pods off. */
export function showNode({ metadata, spec, ...node }: ClusterNode): string {
  const ready = readiness({ ...node })
  const taints = (spec?.taints ?? []).map(
    ({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`,
  )
  return [
    `${metadata?.name} ${ready === 'True' ? 'Ready' : `NotReady (${ready})`}`,
    ...(spec?.unschedulable ? ['cordoned'] : []),
    ...(taints.length > 0 ? [`taints ${taints.join(' ')}`] : []),
  ].join(', ')
}
