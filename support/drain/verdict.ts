import { controllerOf, type DrainedPod, isFinished, keyOf, showKey } from './drained-pod.ts'

/** What whoever drains has agreed to. */
export interface DrainConsent {
  /** Pods that nobody would replace may go. */
  readonly force?: boolean
  /** Pods may go although what they keep in an emptyDir goes with them. */
  readonly deleteLocalData?: boolean
}

/** What becomes of one pod of a node that is drained. */
export interface Verdict {
  readonly action: 'evict' | 'leave' | 'refuse'
  /** In words. */
  readonly why: string
}

const LEFT_TO_ITS_DAEMON_SET: Verdict = { action: 'leave', why: 'its DaemonSet would make it anew' }
const MIRROR: Verdict = { action: 'leave', why: 'it mirrors a pod of the node’s own' }
const LOCAL_DATA: Verdict = { action: 'refuse', why: 'its local data would be lost' }
const UNREPLACED: Verdict = { action: 'refuse', why: 'nobody would replace it' }

/** The kubelet puts it on what stands for a static pod. */
const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror'

/** `namespace/name` of the DaemonSet that would have to be looked up before the pod is judged; undefined for others. */
export function daemonSetOf(pod: DrainedPod): string | undefined {
  const controller = controllerOf(pod)
  if (controller?.kind !== 'DaemonSet' || controller.apiVersion !== 'apps/v1') return undefined
  if (isFinished(pod)) return undefined
  return showKey({ namespace: keyOf(pod).namespace, name: controller.name })
}

/**
 * Judges a pod as `kubectl drain --ignore-daemonsets` does, in the same order: the first reason to keep it counts.
 * `daemonSets` names those that exist, of all that daemonSetOf asked for.
 */
export function judge(
  pod: DrainedPod,
  { force = false, deleteLocalData = false }: DrainConsent,
  daemonSets: ReadonlySet<string>,
): Verdict {
  const daemonSet = daemonSetOf(pod)
  if (daemonSet !== undefined) {
    if (daemonSets.has(daemonSet)) return LEFT_TO_ITS_DAEMON_SET
    if (!force) return { action: 'refuse', why: `its DaemonSet ${daemonSet} is not there` }
  }
  if (pod.metadata?.annotations?.[MIRROR_ANNOTATION] !== undefined) return MIRROR
  // Of what has ended nothing is lost, and nobody waits for another one.
  if (isFinished(pod)) return { action: 'evict', why: 'it has ended' }
  const hasLocalData = (pod.spec?.volumes ?? []).some(({ emptyDir }) => emptyDir)
  if (hasLocalData && !deleteLocalData) return LOCAL_DATA
  const controller = controllerOf(pod)
  if (!controller && !force) return UNREPLACED
  return { action: 'evict', why: controller ? `its ${controller.kind} replaces it` : 'by force' }
}
