import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { isConflict } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'

const NODES = collectionPath('v1', 'nodes')

/** What an administrator has on a node before a run: the scenario takes both away. No pod is moved by them. */
export const ADMINS_LABEL = 'kill-points.poolwright.dev/rack'
export const ADMINS_TAINT: NodeTaint = {
  key: 'kill-points.poolwright.dev/admin',
  value: 'asked',
  effect: 'PreferNoSchedule',
  timeAdded: '2026-03-31T12:00:00Z',
}
/** What somebody else adds while a run is under way, beside a cordon. */
const PLANTED: NodeTaint = { key: 'kill-points.poolwright.dev/autoscaler', effect: 'PreferNoSchedule' }

export interface NodeTaint {
  readonly key: string
  readonly value?: string
  readonly effect: string
  readonly timeAdded?: string
}

interface TaintedNode extends KubernetesObject {
  spec?: { taints?: readonly NodeTaint[]; unschedulable?: boolean }
}

/** Marks a node as its administrator would. Safe to repeat. */
export async function markAsAdmin(kube: KubeClient, node: string, signal: AbortSignal): Promise<void> {
  await rewrite(kube, node, signal, (taints) => ({
    metadata: { labels: { [ADMINS_LABEL]: '7' } },
    spec: { taints: [...without(taints, ADMINS_TAINT), ADMINS_TAINT] },
  }))
}

/** Takes those marks away again. Safe to repeat. */
export async function unmarkAsAdmin(kube: KubeClient, node: string, signal: AbortSignal): Promise<void> {
  await rewrite(kube, node, signal, (taints) => ({
    metadata: { labels: { [ADMINS_LABEL]: null } },
    spec: { taints: listed(without(taints, ADMINS_TAINT)) },
  }))
}

/** Taints and cordons a node as somebody does who knows nothing of the run. */
export async function plantForeign(kube: KubeClient, node: string, signal: AbortSignal): Promise<void> {
  await rewrite(kube, node, signal, (taints) => ({
    spec: { unschedulable: true, taints: [...taints, PLANTED] },
  }))
}

/** Which of the two are gone, each in words. */
export async function foreignLost(
  kube: KubeClient,
  node: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { spec } = await kube.get<TaintedNode>(objectPath(NODES, node), signal)
  const hasTaint = spec?.taints?.some(({ key, effect }) => key === PLANTED.key && effect === PLANTED.effect)
  return [
    ...(hasTaint ? [] : [`Node ${node}: the foreign taint ${PLANTED.key} is gone`]),
    ...(spec?.unschedulable ? [] : [`Node ${node}: the foreign cordon is gone`]),
  ]
}

/** Takes both away again. Safe to repeat. */
export async function unplantForeign(kube: KubeClient, node: string, signal: AbortSignal): Promise<void> {
  await rewrite(kube, node, signal, (taints) => ({
    spec: { unschedulable: null, taints: listed(without(taints, PLANTED)) },
  }))
}

/** Others write the same list: on a conflict it is read again. */
async function rewrite(
  kube: KubeClient,
  node: string,
  signal: AbortSignal,
  patchOf: (taints: readonly NodeTaint[]) => { readonly metadata?: object; readonly spec: object },
): Promise<void> {
  const path = objectPath(NODES, node)
  for (let attempt = 1; ; attempt++) {
    const { metadata, spec } = await kube.get<TaintedNode>(path, signal)
    const patch = patchOf(spec?.taints ?? [])
    const version = { resourceVersion: metadata?.resourceVersion }
    try {
      await kube.patch(path, { ...patch, metadata: { ...patch.metadata, ...version } }, 'merge', signal)
      return
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error
    }
  }
}

const ATTEMPTS = 20

function without(taints: readonly NodeTaint[], { key, effect }: NodeTaint): readonly NodeTaint[] {
  return taints.filter((taint) => taint.key !== key || taint.effect !== effect)
}

/** A node without taints has no list. */
function listed(taints: readonly NodeTaint[]): readonly NodeTaint[] | null {
  return taints.length > 0 ? taints : null
}
