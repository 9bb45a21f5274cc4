import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { RUN_LABEL } from '../../src/contract/names.ts'
import { isConflict, isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { objectPath } from '../../src/kube/paths.ts'
import { WaitLimitError, waitFor } from '../../src/kube/wait-for.ts'
import { isScenarioNamespace, NAMESPACES } from '../scenario-namespace.ts'
import { isCertainlyDead } from './holder.ts'
import { holderOf } from './lease-observation.ts'
import { persist } from './persist.ts'
import type { Restored } from './restore.ts'

interface EndedRuns {
  readonly signal: AbortSignal
  /** Runs that somebody says have ended. */
  readonly ended: readonly string[]
  /** Milliseconds for what was deleted to be gone; without it nothing is waited for. */
  readonly goneWithinMs?: number | undefined
}

/**
 * Deletes the namespaces of scenarios whose process ended without doing it, as far as that can be seen from here, and those
 * of runs that somebody says have ended. Answers each, those that were left to others as well.
 */
export async function removeEndedNamespaces(
  kube: KubeClient,
  { signal, ended, goneWithinMs }: EndedRuns,
): Promise<readonly Restored[]> {
  const { objects } = await persist(signal, () =>
    listAll<KubernetesObject>(kube, { path: NAMESPACES, labelSelector: RUN_LABEL, signal }),
  )
  const ours = objects.filter(
    ({ metadata }) => isScenarioNamespace(metadata?.name ?? '') && !metadata?.deletionTimestamp,
  )
  const outcomes: Restored[] = []
  for (const namespace of ours) outcomes.push(await removeOne(kube, namespace, ended, signal))
  return goneWithinMs === undefined ? outcomes : proveGone(kube, outcomes, goneWithinMs, signal)
}

/** A namespace is emptied before it goes, which its deletion does not wait for. */
async function proveGone(
  kube: KubeClient,
  outcomes: readonly Restored[],
  limitMs: number,
  signal: AbortSignal,
): Promise<readonly Restored[]> {
  const going = new Set(outcomes.flatMap(({ object, outcome }) => (outcome === 'restored' ? [object] : [])))
  if (going.size === 0) return outcomes
  let left = new Set<string>()
  try {
    await waitFor<KubernetesObject, true>(kube, {
      for: 'namespaces of ended runs to be gone',
      path: NAMESPACES,
      labelSelector: RUN_LABEL,
      until: (namespaces) => {
        left = new Set(namespaces.map(nameOf).filter((name) => going.has(name)))
        return left.size === 0 || undefined
      },
      show: nameOf,
      limitMs,
      signal,
    })
    return outcomes
  } catch (error) {
    if (!(error instanceof WaitLimitError)) throw error
    const note = `it was not gone within ${limitMs} ms: look at its status`
    return outcomes.map((one) => (left.has(one.object) ? { ...one, outcome: 'failed' as const, note } : one))
  }
}

function nameOf({ metadata }: KubernetesObject): string {
  return `Namespace ${metadata?.name}`
}

async function removeOne(
  kube: KubeClient,
  namespace: KubernetesObject,
  ended: readonly string[],
  signal: AbortSignal,
): Promise<Restored> {
  const { name = '', uid, labels } = namespace.metadata ?? {}
  const run = labels?.[RUN_LABEL] ?? ''
  const what = { object: nameOf(namespace), change: 'created' }
  const holder = holderOf(namespace)
  if (!ended.includes(run) && !(holder && isCertainlyDead(holder))) {
    const where = holder ? ` on ${holder.process.host} (process ${holder.process.pid})` : ''
    return {
      ...what,
      outcome: 'left',
      note: `run ${run}${where} may be alive; if it has ended: --run ${run}`,
    }
  }
  try {
    await persist(signal, () => kube.delete(objectPath(NAMESPACES, name), { preconditions: { uid } }, signal))
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error))
      return {
        ...what,
        outcome: 'failed',
        note: `${(error as Error).message}\nBy hand:\n  kubectl delete namespace ${name}`,
      }
  }
  return { ...what, outcome: 'restored', note: '' }
}
