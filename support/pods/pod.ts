import type { KubernetesObject } from '../../src/contract/kubernetes.ts'

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string }
  readonly running?: { readonly startedAt?: string }
  readonly terminated?: {
    readonly containerID?: string
    readonly exitCode?: number
    readonly signal?: number
    readonly reason?: string
    readonly startedAt?: string
    readonly finishedAt?: string
  }
}

export interface ContainerStatus {
  readonly name: string
  /** Another after each restart. */
  readonly containerID?: string
  readonly ready?: boolean
  readonly started?: boolean
  readonly restartCount?: number
  readonly state?: ContainerState
  readonly lastState?: ContainerState
}

export interface PodCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
}

/** What the suite looks at of a pod. */
export interface Pod extends KubernetesObject {
  spec?: { nodeName?: string; serviceAccountName?: string; containers?: { name: string }[] }
  status?: {
    phase?: string
    reason?: string
    message?: string
    podIP?: string
    hostIP?: string
    conditions?: PodCondition[]
    containerStatuses?: ContainerStatus[]
    initContainerStatuses?: ContainerStatus[]
  }
}

/** Ready, and not on its way out. */
export function isReady(pod: Pod): boolean {
  return !pod.metadata?.deletionTimestamp && conditionOf(pod, 'Ready')?.status === 'True'
}

export function conditionOf({ status }: Pod, type: string): PodCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type)
}

/** Init containers and sidecars first. */
export function containersOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
}

/** One of its containers, init containers and sidecars among them. */
export function containerOf(pod: Pod, name = 'main'): ContainerStatus | undefined {
  return containersOf(pod).find((one) => one.name === name)
}

/** `terminated (OOMKilled, code 137)` */
export function showState(state: ContainerState = {}): string {
  const [how = 'unknown'] = Object.keys(state)
  const { reason, exitCode } = { reason: undefined, exitCode: undefined, ...Object.values(state)[0] }
  const why = [reason, exitCode === undefined ? undefined : `code ${exitCode}`].filter(Boolean).join(', ')
  return `${how}${why ? ` (${why})` : ''}`
}

/** In one line, as far as scenarios ask: where it is, what it does, why not. */
export function showPod(pod: Pod): string {
  const { metadata, spec, status } = pod
  const containers = containersOf(pod).map(
    (one) =>
      `${one.name} ${showState(one.state)}${one.ready ? ', ready' : ''}, ${one.restartCount ?? 0} restarts`,
  )
  const scheduled = conditionOf(pod, 'PodScheduled')
  const unscheduled = scheduled?.status === 'False' ? `, ${scheduled.reason}: ${scheduled.message}` : ''
  const leaving = metadata?.deletionTimestamp ? ', terminating' : ''
  const where = spec?.nodeName ? `on ${spec.nodeName}` : 'on no node'
  return `${metadata?.name} ${status?.phase ?? 'without a phase'} ${where}${leaving}${unscheduled}${
    containers.length > 0 ? `: ${containers.join('; ')}` : ''
  }`
}
