import type { NodeRole } from '../../src/contract/cluster-roles.ts'
import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { SCENARIO_LABEL } from '../../src/contract/names.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { perWorld } from '../per-world.ts'
import { isReady, type Pod, showPod } from '../pods/pod.ts'
import type { PodRequest } from '../pods/pod-template.ts'
import { podsOf } from '../pods/pods.ts'
import type { PoolwrightWorld } from '../world.ts'

/** On the pods of a workload, its name. */
const WORKLOAD_LABEL = 'app'

export type WorkloadKind = 'Deployment' | 'StatefulSet' | 'DaemonSet'

/** Pods leave a node that is silent at once. Unsaid, they do after five minutes. */
const LEAVES_SILENT_NODE: readonly object[] = ['not-ready', 'unreachable'].map((condition) => ({
  key: `node.kubernetes.io/${condition}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 0,
}))

/** The scenario's workloads, in its own namespace. */
export const workloadsOf = perWorld((world) => new Workloads(world))

class Workloads {
  readonly #world: PoolwrightWorld

  constructor(world: PoolwrightWorld) {
    this.#world = world
  }

  /** Labels by which the pods of a workload are known. */
  labels(name: string): Readonly<Record<string, string>> {
    return { [WORKLOAD_LABEL]: name, [SCENARIO_LABEL]: this.#world.scenario }
  }

  /**
   * Makes a workload of so many pods that all run on the first of these nodes and may move to the second, which takes none
   * until they are ready: preferring a node, the scheduler only prefers.
   */
  async startMovable(
    kind: 'Deployment' | 'StatefulSet',
    name: string,
    replicas: number,
    [from, to]: readonly [NodeRole, NodeRole],
    request: Partial<PodRequest> = {},
  ): Promise<void> {
    const { changes } = this.#world
    const nodes = [podsOf(this.#world).node(from), podsOf(this.#world).node(to)] as const
    await changes.cordon(nodes[1])
    await this.#create(kind, name, { replicas }, { ...request, spec: { ...request.spec, ...onOneOf(nodes) } })
    await this.untilReady(name, replicas, from)
    await changes.uncordon(nodes[1])
  }

  /** Makes a DaemonSet whose only pod is on this node, ready when it resolves. */
  async startDaemonSet(name: string, role: NodeRole): Promise<void> {
    await this.#create('DaemonSet', name, {}, { node: podsOf(this.#world).node(role) })
    await this.untilReady(name, 1, role)
  }

  /** Waits until exactly so many pods are ready, all on this node; those on their way out don't count. */
  untilReady(name: string, count: number, role: NodeRole, limitMs?: number): Promise<readonly Pod[]> {
    const pods = podsOf(this.#world)
    const node = pods.node(role)
    return pods.untilAll(
      this.labels(name),
      `to be ${count}, all ready on ${node}`,
      (found) => {
        const staying = found.filter(({ metadata }) => !metadata?.deletionTimestamp)
        const good = staying.filter((pod) => isReady(pod) && pod.spec?.nodeName === node)
        return good.length === count && staying.length === count && good
      },
      limitMs,
    )
  }

  /** The one that there is now. Throws where there are none or more. */
  async onlyPod(name: string): Promise<Pod> {
    const found = await podsOf(this.#world).untilAll(this.labels(name), 'to be listed', (pods) => pods)
    const [pod] = found
    if (!pod || found.length > 1)
      throw new Error(`expected one pod of ${name}, found ${found.map(showPod).join('; ') || 'none'}`)
    return pod
  }

  /** Makes a budget that keeps so many pods with these labels, and waits until it is in force. */
  async protect(
    name: string,
    minAvailable: number,
    matchLabels: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { kube, signal, labels } = this.#world
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, labels },
      spec: { minAvailable, selector: { matchLabels } },
    }
    await kube.create(this.#budgets, budget, signal)
    await this.#world.waitFor<Budget, true>({
      for: `disruption budget ${name} to be in force`,
      path: this.#budgets,
      fieldSelector: `metadata.name=${name}`,
      until: ([found]) =>
        (found?.status?.observedGeneration !== undefined &&
          (found.status.currentHealthy ?? 0) >= minAvailable) ||
        undefined,
    })
  }

  async deleteBudget(name: string): Promise<void> {
    await this.#world.kube.delete(objectPath(this.#budgets, name), undefined, this.#world.signal)
  }

  get #budgets(): string {
    return collectionPath('policy/v1', 'poddisruptionbudgets', this.#world.namespace)
  }

  async #create(
    kind: WorkloadKind,
    name: string,
    spec: { readonly replicas?: number },
    request: Partial<PodRequest>,
  ): Promise<void> {
    const { kube, namespace, signal, labels } = this.#world
    const template = await podsOf(this.#world).template({
      does: ['stay:'],
      tolerations: LEAVES_SILENT_NODE,
      ...request,
      labels: { [WORKLOAD_LABEL]: name },
    })
    const object = {
      apiVersion: 'apps/v1',
      kind,
      metadata: { name, labels },
      spec: {
        ...spec,
        selector: { matchLabels: this.labels(name) },
        ...(kind === 'StatefulSet' && { serviceName: name }),
        template,
      },
    }
    await kube.create(collectionPath('apps/v1', `${kind.toLowerCase()}s`, namespace), object, signal)
  }
}

interface Budget extends KubernetesObject {
  status?: { observedGeneration?: number; currentHealthy?: number; disruptionsAllowed?: number }
}

/** Fields of a pod's spec: any of these nodes will do. */
export function onOneOf(nodes: readonly string[]): object {
  const isOne = { key: 'kubernetes.io/hostname', operator: 'In', values: nodes }
  return {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [isOne] }],
        },
      },
    },
  }
}
