import { setTimeout as sleep } from 'node:timers/promises'
import { ApiStatusError, ifFound, isConflict, isNotFound } from '../../src/kube/api-status-error.ts'
import { BackOff } from '../../src/kube/back-off.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import type { Budgets } from './budgets.ts'
import { type DrainedPod, keyOf, type PodKey } from './drained-pod.ts'
import type { NodePods } from './node-pods.ts'

/** As kubectl waits after a refusal that names no time. */
const RETRY_MS = 5_000
/** After an answer that was lost; what is asked twice takes effect once, for it names the pod's uid. */
const LOST_ANSWERS = 8
const BASE_DELAY_MS = 100
const MAX_DELAY_MS = 2_000

export interface EvictionSite {
  readonly kube: KubeClient
  readonly pods: NodePods
  readonly budgets: Budgets
  readonly signal: AbortSignal
  /** Seconds, instead of the pod's own. */
  readonly gracePeriodSeconds?: number | undefined
  /** Told of each refusal after which it is asked again, at the latest after so many milliseconds. */
  readonly onRefusal: (why: string, retryInMs: number) => void
}

/**
 * Asks for one eviction, once. Throws ApiStatusError: 429 where a budget forbids it, 409 where another pod of this name
 * has come.
 */
export async function requestEviction(
  kube: KubeClient,
  { namespace, name, uid }: PodKey,
  signal: AbortSignal,
  gracePeriodSeconds?: number,
): Promise<void> {
  const path = objectPath(collectionPath('v1', 'pods', namespace), name, 'eviction')
  const deleteOptions = {
    preconditions: { uid },
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  }
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { namespace, name }, deleteOptions }
  await kube.create(path, eviction, signal)
}

/**
 * Asks until the API agrees or the pod is gone, however long a budget forbids it. Throws ApiStatusError where it is
 * refused for good, the signal's reason on abort. That the pod is gone is for the caller to see.
 */
export async function evict(pod: PodKey, site: EvictionSite): Promise<void> {
  const { kube, budgets, signal, gracePeriodSeconds } = site
  const backOff = new BackOff(BASE_DELAY_MS, MAX_DELAY_MS)
  for (let lost = 0; ; ) {
    const changes = budgets.changes(pod.namespace)
    try {
      await requestEviction(kube, pod, signal, gracePeriodSeconds)
      return
    } catch (error) {
      signal.throwIfAborted()
      if (isNotFound(error)) return
      if (isTooManyRequests(error)) {
        const delayMs = retryAfterMs(error)
        site.onRefusal(reasonOf(error), delayMs)
        if (hasCause(error, 'DisruptionBudget')) await budgets.wait(pod.namespace, changes, delayMs)
        else await sleep(delayMs, undefined, { signal })
      } else if (isNamespaceTerminating(error)) {
        // Never granted there; but the namespace's end deletes the pod, which may have begun already.
        site.onRefusal(reasonOf(error), 0)
        await site.pods.untilLeaving(pod.uid, signal)
        return
      } else if (isConflict(error)) {
        if (await isAnother(kube, pod, signal)) return
        await sleep(BASE_DELAY_MS, undefined, { signal })
      } else if (isLost(error) && ++lost < LOST_ANSWERS) {
        await backOff.wait(backOff.next(), signal)
      } else throw error
    }
  }
}

/** Whether the pod that was meant is gone. */
async function isAnother(kube: KubeClient, pod: PodKey, signal: AbortSignal): Promise<boolean> {
  const path = objectPath(collectionPath('v1', 'pods', pod.namespace), pod.name)
  const found = await ifFound(kube.get<DrainedPod>(path, signal))
  return !found || keyOf(found).uid !== pod.uid
}

function isTooManyRequests(error: unknown): error is ApiStatusError {
  return error instanceof ApiStatusError && error.code === 429
}

function isNamespaceTerminating(error: unknown): error is ApiStatusError {
  return error instanceof ApiStatusError && error.code === 403 && hasCause(error, 'NamespaceTerminating')
}

/** No answer came, or one from something on the way. */
function isLost(error: unknown): boolean {
  if (error instanceof ApiStatusError) return [502, 503, 504].includes(error.code)
  return (error as Error).name === 'KubeRequestError'
}

function hasCause({ status }: ApiStatusError, reason: string): boolean {
  return (status.details?.causes ?? []).some((cause) => cause.reason === reason)
}

/** The API says 0 where it knows no time. */
function retryAfterMs({ retryAfterSeconds = 0 }: ApiStatusError): number {
  return retryAfterSeconds > 0 ? retryAfterSeconds * 1_000 : RETRY_MS
}

/** The refusal in the API's words, the causes after it. */
function reasonOf({ code, status: { message = '', details } }: ApiStatusError): string {
  const causes = (details?.causes ?? []).map((cause) => cause.message).filter(Boolean)
  return [`${code}: ${message}`, ...causes].join(' ')
}
