import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { Budgets } from './budgets.ts'
import { DrainIncompleteError, DrainRefusedError, type PodReason } from './drain-errors.ts'
import { type DrainedPod, keyOf, type PodKey } from './drained-pod.ts'
import { evict } from './evict.ts'
import { NodePods } from './node-pods.ts'
import { type DrainConsent, daemonSetOf, judge, type Verdict } from './verdict.ts'

/** Who closes a node to new pods and opens it again; whoever it is keeps the journal. */
export interface Cordons {
  cordon(node: string): Promise<void>
  uncordon(node: string): Promise<void>
}

export interface DrainRequest extends DrainConsent {
  readonly kube: KubeClient
  readonly cordons: Cordons
  /** Name of the Node. */
  readonly node: string
  /** A label selector: pods that don't match are none of this drain's business. Default: all. */
  readonly pods?: string
  /** Seconds for each pod, instead of its own. */
  readonly gracePeriodSeconds?: number
  /** Milliseconds until it gives up. Default: it never does, as a budget may forbid an eviction for as long as it likes. */
  readonly limitMs?: number
  readonly signal: AbortSignal
  readonly onProgress?: (progress: DrainProgress) => void
}

/** What happens to one pod; each but `left` ends with `gone` or with an error. */
export interface DrainProgress {
  readonly pod: PodKey
  readonly what: 'left' | 'asked' | 'refused for now' | 'evicted' | 'gone' | 'failed'
  /** In words. */
  readonly why: string
}

export interface Drained {
  /** Pods that were there and are gone. */
  readonly gone: readonly PodKey[]
  readonly left: readonly PodReason[]
}

const NODES = collectionPath('v1', 'nodes')
const PODS = collectionPath('v1', 'pods')

/**
 * Empties one node as `kubectl drain --ignore-daemonsets` does: closes it, looks at all of its pods before any is touched,
 * evicts those that may go, budgets honoured, and waits until they are gone.
 */
export class Drain {
  readonly #request: DrainRequest
  #hasCordoned = false

  constructor(request: DrainRequest) {
    this.#request = request
  }

  /**
   * Throws DrainRefusedError where pods may not go, before anything is evicted; DrainIncompleteError at the limit, or where
   * the API refuses an eviction for good, after all others are gone; the signal's reason on abort; ApiStatusError.
   */
  async run(): Promise<Drained> {
    const { kube, node, signal, limitMs } = this.#request
    await this.#cordon()
    const judged = await this.#judgeAll()
    const refused = reasons(judged, 'refuse')
    if (refused.length) throw new DrainRefusedError(node, refused)
    for (const { pod, why } of reasons(judged, 'leave')) this.#tell(pod, 'left', why)
    const over = new AbortController()
    const limit = limitMs === undefined ? [] : [AbortSignal.timeout(limitMs)]
    const ends = AbortSignal.any([signal, over.signal, ...limit])
    const following = { pods: new NodePods(kube, node, ends), budgets: new Budgets(kube, ends) }
    try {
      const leaving = reasons(judged, 'evict')
      const failures = await Promise.all(
        leaving.map((one) => this.#remove(one, { ...following, signal: ends })),
      )
      signal.throwIfAborted()
      const remaining = failures.filter((failure) => failure !== undefined)
      if (remaining.length) {
        const why = ends.aborted ? `after ${limitMs} ms` : 'since evictions were refused'
        throw new DrainIncompleteError(node, why, remaining)
      }
      return { gone: leaving.map(({ pod }) => pod), left: reasons(judged, 'leave') }
    } finally {
      over.abort()
    }
  }

  /** Opens the node again, unless it was closed before. Safe to repeat, and after a drain that failed. */
  async undo(): Promise<void> {
    if (!this.#hasCordoned) return
    await this.#request.cordons.uncordon(this.#request.node)
    this.#hasCordoned = false
  }

  async #cordon(): Promise<void> {
    const { kube, node, cordons, signal } = this.#request
    const { spec } = await kube.get<KubernetesObject>(objectPath(NODES, node), signal)
    if ((spec as { unschedulable?: boolean } | undefined)?.unschedulable) return
    // Also when the answer is lost.
    this.#hasCordoned = true
    await cordons.cordon(node)
  }

  async #judgeAll(): Promise<readonly Judged[]> {
    const { kube, node, pods: labelSelector, signal } = this.#request
    const { objects } = await listAll<DrainedPod>(kube, {
      path: PODS,
      fieldSelector: `spec.nodeName=${node}`,
      ...(labelSelector !== undefined && { labelSelector }),
      signal,
    })
    const daemonSets = await existing(kube, new Set(objects.flatMap((pod) => daemonSetOf(pod) ?? [])), signal)
    return objects.map((pod) => ({ pod: keyOf(pod), verdict: judge(pod, this.#request, daemonSets) }))
  }

  /** Answers why the pod is still there; undefined once it is gone. */
  async #remove(
    { pod, why }: PodReason,
    following: { readonly pods: NodePods; readonly budgets: Budgets; readonly signal: AbortSignal },
  ): Promise<PodReason | undefined> {
    const { kube, gracePeriodSeconds } = this.#request
    let last = 'its eviction was asked for'
    this.#tell(pod, 'asked', why)
    try {
      await evict(pod, {
        ...following,
        kube,
        gracePeriodSeconds,
        onRefusal: (refusal, retryInMs) => {
          last = refusal
          this.#tell(pod, 'refused for now', `${refusal}; asked again within ${retryInMs} ms`)
        },
      })
      last = 'it was evicted and has not ended yet'
      this.#tell(pod, 'evicted', '')
      await following.pods.untilGone(pod.uid, following.signal)
      this.#tell(pod, 'gone', '')
      return undefined
    } catch (error) {
      if (!following.signal.aborted) last = error instanceof Error ? error.message : String(error)
      this.#tell(pod, 'failed', last)
      return { pod, why: last }
    }
  }

  #tell(pod: PodKey, what: DrainProgress['what'], why: string): void {
    this.#request.onProgress?.({ pod, what, why })
  }
}

interface Judged {
  readonly pod: PodKey
  readonly verdict: Verdict
}

function reasons(judged: readonly Judged[], action: Verdict['action']): PodReason[] {
  return judged.flatMap(({ pod, verdict }) => (verdict.action === action ? [{ pod, why: verdict.why }] : []))
}

/** Those of these DaemonSets, each `namespace/name`, that are there. */
async function existing(
  kube: KubeClient,
  daemonSets: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    [...daemonSets].map(async (daemonSet) => {
      const [namespace = '', name = ''] = daemonSet.split('/')
      const path = objectPath(collectionPath('apps/v1', 'daemonsets', namespace), name)
      return kube.get(path, signal).then(
        () => daemonSet,
        (error: unknown) => {
          if (isNotFound(error)) return undefined
          throw error
        },
      )
    }),
  )
  return new Set(found.filter((one) => one !== undefined))
}
