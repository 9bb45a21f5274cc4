import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { RUN_LABEL } from '../../src/contract/names.ts'
import { isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listWatch } from '../../src/kube/list-watch.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { waitFor } from '../../src/kube/wait-for.ts'
import { type DrainedPod, keyOf } from '../../support/drain/drained-pod.ts'
import type { DrainCase, PodPlan } from './cases.ts'

const NODES = collectionPath('v1', 'nodes')
const NAMESPACES = collectionPath('v1', 'namespaces')
/** What a container takes to end when it is asked to: a drain that doesn't wait is done before. */
const ENDS_AFTER_MS = 1_000
/**
 * The same where the namespace goes: kubectl looks every 5 seconds whether the pod is asked to end, and asks in vain until
 * the namespace is gone where it missed that.
 */
const ENDS_IN_SIGHT_AFTER_MS = 8_000
/** Keeps the pods of others off what can't run them. */
const TAINT = 'poolwright.dev/drain-check'
const LIMIT_MS = 60_000
/** On each pod, its name in the case. */
const NAME_LABEL = 'app'

interface Placed extends DrainedPod {
  spec?: DrainedPod['spec'] & { unschedulable?: boolean; taints?: readonly { readonly key: string }[] }
}

/**
 * A Node that no machine is behind and a namespace, for one drain of one case: nothing of anybody's is touched. Its
 * kubelet is played: pods run as soon as they are there, and end a moment after they are asked to.
 */
export class TestNode {
  readonly name: string
  readonly #kube: KubeClient
  readonly #of: DrainCase
  readonly #run: string
  readonly #signal: AbortSignal
  readonly #over = new AbortController()
  readonly #uids = new Map<string, string>()
  #trouble: unknown

  constructor(kube: KubeClient, of: DrainCase, name: string, run: string, signal: AbortSignal) {
    this.#kube = kube
    this.#of = of
    this.name = name
    this.#run = run
    this.#signal = AbortSignal.any([signal, this.#over.signal])
  }

  /** Ready to be drained. */
  async setUp(): Promise<void> {
    const labels = { [RUN_LABEL]: this.#run }
    const metadata = { name: this.name, labels }
    await this.#kube.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata }, this.#signal)
    // Without the label of an operating system, which pods of the cluster's own ask for.
    const hostname = { 'kubernetes.io/hostname': this.name }
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: this.name, labels: { ...labels, ...hostname } },
      spec: { taints: [{ key: TAINT, effect: 'NoSchedule' }] },
    }
    const { metadata: made } = await this.#kube.create(NODES, node, this.#signal)
    const resources = { cpu: '8', memory: '8Gi', pods: '32' }
    const status = { capacity: resources, allocatable: resources, conditions: [condition('True')] }
    await this.#kube.patch(objectPath(NODES, this.name, 'status'), { status }, 'merge', this.#signal)
    await this.#untilNoLongerNew()
    for (const [name, plan] of Object.entries(this.#of.pods))
      await this.#createPod(name, plan, made?.uid ?? '')
    for (const [name, plan] of Object.entries(this.#of.pods)) await this.#bringAbout(name, plan)
    for (const [at, minAvailable] of (this.#of.budgets ?? []).entries())
      await this.#protect(`budget-${at}`, minAvailable)
    if (this.#of.namespaceGoes)
      await this.#kube.delete(objectPath(NAMESPACES, this.name), undefined, this.#signal)
    void this.#play().catch((error: unknown) => {
      if (!this.#signal.aborted) this.#trouble = error
    })
  }

  /** By the pods' names: what has become of each now that the drain has ended. */
  async outcomes(refused: ReadonlySet<string>): Promise<Readonly<Record<string, string>>> {
    if (this.#trouble) throw this.#trouble
    const pods = await this.#pods()
    const outcomes = [...this.#uids].map(([name, uid]) => {
      const pod = pods.find(({ metadata }) => metadata?.uid === uid)
      const isNamed = [...refused].some((one) => one.startsWith(name))
      if (!pod) return [name, isNamed ? 'refused, yet gone' : 'gone']
      const there = pod.metadata?.deletionTimestamp ? 'leaving' : 'there'
      return [name, isNamed ? `refused, ${there}` : there]
    })
    return Object.fromEntries(outcomes)
  }

  /** Whether it is closed to new pods. */
  async isCordoned(): Promise<boolean> {
    const { spec } = await this.#kube.get<Placed>(objectPath(NODES, this.name), this.#signal)
    return spec?.unschedulable === true
  }

  async cordon(): Promise<void> {
    await this.#patchNode({ spec: { unschedulable: true } })
  }

  async uncordon(): Promise<void> {
    await this.#patchNode({ spec: { unschedulable: null } })
  }

  /** Nothing of it is left, but for the namespace, which takes its time. */
  async tearDown(): Promise<void> {
    this.#over.abort(new Error('the case is over'))
    const signal = AbortSignal.timeout(LIMIT_MS)
    const remove = async (path: string, options?: object): Promise<void> => {
      await this.#kube.delete(path, options, signal).catch((error: unknown) => {
        if (!isNotFound(error)) throw error
      })
    }
    await remove(objectPath(NAMESPACES, this.name))
    const pods = await this.#pods(signal)
    for (const { metadata } of pods)
      await remove(objectPath(this.#podsPath, metadata?.name ?? ''), { gracePeriodSeconds: 0 })
    await remove(objectPath(NODES, this.name))
  }

  async #createPod(name: string, plan: PodPlan, nodeUid: string): Promise<void> {
    const labels = { [NAME_LABEL]: name }
    const spec = {
      terminationGracePeriodSeconds: 30,
      automountServiceAccountToken: false,
      containers: [{ name: 'main', image: 'never.runs/at-all:1' }],
      volumes: plan.localData ? [{ name: 'scratch', emptyDir: {} }] : [],
      tolerations: [TAINT, 'node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key) => ({
        key,
        operator: 'Exists',
      })),
    }
    if (plan.owner) {
      const template = {
        metadata: { labels },
        spec: { ...spec, nodeSelector: { 'kubernetes.io/hostname': this.name } },
      }
      const workload = {
        apiVersion: 'apps/v1',
        kind: plan.owner,
        metadata: { name },
        spec: {
          ...(plan.owner === 'ReplicaSet' && { replicas: 1 }),
          selector: { matchLabels: labels },
          template,
        },
      }
      const path = collectionPath('apps/v1', `${plan.owner.toLowerCase()}s`, this.name)
      await this.#kube.create(path, workload, this.#signal)
      return
    }
    const node = { apiVersion: 'v1', kind: 'Node', name: this.name, uid: nodeUid, controller: true }
    const marks = plan.mirror && {
      annotations: { 'kubernetes.io/config.mirror': 'drain-check' },
      ownerReferences: [node],
    }
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels, ...marks },
      spec: { ...spec, nodeName: this.name },
    }
    await this.#untilServiceAccount()
    await this.#kube.create(this.#podsPath, pod, this.#signal)
  }

  /** Waits until it is on the node, and makes it what the plan says. */
  async #bringAbout(name: string, { ended, leaving }: PodPlan): Promise<void> {
    const pod = await waitFor<DrainedPod, DrainedPod>(this.#kube, {
      for: `pod ${name} to be on node ${this.name}`,
      path: this.#podsPath,
      labelSelector: `${NAME_LABEL}=${name}`,
      until: ([found]) => found?.spec?.nodeName === this.name && found,
      limitMs: LIMIT_MS,
      signal: this.#signal,
    })
    const key = keyOf(pod)
    this.#uids.set(name, key.uid)
    const path = objectPath(this.#podsPath, key.name)
    const status = ended ? { phase: ended } : { phase: 'Running', conditions: [condition('True')] }
    await this.#kube.patch(objectPath(this.#podsPath, key.name, 'status'), { status }, 'merge', this.#signal)
    if (leaving) await this.#kube.delete(path, undefined, this.#signal)
  }

  async #protect(name: string, minAvailable: number): Promise<void> {
    const path = collectionPath('policy/v1', 'poddisruptionbudgets', this.name)
    const spec = { minAvailable, selector: {} }
    await this.#kube.create(
      path,
      { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec },
      this.#signal,
    )
    await waitFor<KubernetesObject, true>(this.#kube, {
      for: `budget ${name} to be in force`,
      path,
      fieldSelector: `metadata.name=${name}`,
      until: ([budget]) =>
        (budget?.status as { observedGeneration?: number } | undefined)?.observedGeneration === 1 ||
        undefined,
      limitMs: LIMIT_MS,
      signal: this.#signal,
    })
  }

  /** Once the node is closed, which is what a drain begins with, pods that are asked to end do. */
  async #play(): Promise<void> {
    const signal = this.#signal
    await waitFor<Placed, true>(this.#kube, {
      for: `node ${this.name} to be closed`,
      path: NODES,
      fieldSelector: `metadata.name=${this.name}`,
      until: ([node]) => node?.spec?.unschedulable,
      limitMs: LIMIT_MS,
      signal,
    })
    if (this.#of.budgetsGo) {
      const path = collectionPath('policy/v1', 'poddisruptionbudgets', this.name)
      await this.#kube.delete(path, undefined, signal)
    }
    const endsAfterMs = this.#of.namespaceGoes ? ENDS_IN_SIGHT_AFTER_MS : ENDS_AFTER_MS
    const ending = new Set<string>()
    for await (const item of listWatch<DrainedPod>(this.#kube, { path: this.#podsPath, signal })) {
      const pods = item.type === 'LISTED' ? item.objects : 'object' in item ? [item.object] : []
      for (const pod of pods) {
        const { name, uid } = keyOf(pod)
        if (!pod.metadata?.deletionTimestamp || ending.has(uid)) continue
        ending.add(uid)
        setTimeout(() => void this.#end(name, uid), endsAfterMs)
      }
    }
  }

  async #end(name: string, uid: string): Promise<void> {
    const options = { gracePeriodSeconds: 0, preconditions: { uid } }
    // Whatever else took it away is as good; what is left goes with the case.
    await this.#kube.delete(objectPath(this.#podsPath, name), options, this.#signal).catch(() => undefined)
  }

  async #pods(signal = this.#signal): Promise<readonly DrainedPod[]> {
    const { items } = await this.#kube.get<{ items: DrainedPod[] }>(this.#podsPath, signal)
    return items
  }

  /** A Node is made with a taint that keeps pods off until a controller has seen that it is Ready. */
  async #untilNoLongerNew(): Promise<void> {
    await waitFor<Placed, true>(this.#kube, {
      for: `node ${this.name} to take pods`,
      path: NODES,
      fieldSelector: `metadata.name=${this.name}`,
      until: ([node]) => node?.spec?.taints?.every(({ key }) => key === TAINT),
      limitMs: LIMIT_MS,
      signal: this.#signal,
    })
  }

  async #untilServiceAccount(): Promise<void> {
    await waitFor<KubernetesObject, true>(this.#kube, {
      for: `the default service account of ${this.name}`,
      path: collectionPath('v1', 'serviceaccounts', this.name),
      fieldSelector: 'metadata.name=default',
      until: (accounts) => accounts.length > 0 || undefined,
      limitMs: LIMIT_MS,
      signal: this.#signal,
    })
  }

  async #patchNode(patch: object): Promise<void> {
    await this.#kube.patch(objectPath(NODES, this.name), patch, 'merge', this.#signal)
  }

  get #podsPath(): string {
    return collectionPath('v1', 'pods', this.name)
  }
}

function condition(status: string): object {
  const now = new Date().toISOString()
  return {
    type: 'Ready',
    status,
    reason: 'Played',
    message: 'by drain-check',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  }
}
