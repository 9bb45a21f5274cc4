import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { RUN_LABEL } from '../../src/contract/names.ts'
import { isConflict, isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { isScenarioNamespace } from '../scenario-namespace.ts'
import { isCertainlyDead } from './holder.ts'
import { holderOf } from './lease-observation.ts'
import { persist } from './persist.ts'
import type { Restored } from './restore.ts'

const NAMESPACES = collectionPath('v1', 'namespaces')

/**
 * Deletes the namespaces of scenarios whose process ended without doing it, as far as that can be seen from here, and those
 * of runs that somebody says have ended. Answers each, those that were left to others as well.
 */
export async function removeEndedNamespaces(
  kube: KubeClient,
  { signal, ended }: { readonly signal: AbortSignal; readonly ended: readonly string[] },
): Promise<readonly Restored[]> {
  const { objects } = await persist(signal, () =>
    listAll<KubernetesObject>(kube, { path: NAMESPACES, labelSelector: RUN_LABEL, signal }),
  )
  const ours = objects.filter(
    ({ metadata }) => isScenarioNamespace(metadata?.name ?? '') && !metadata?.deletionTimestamp,
  )
  const outcomes: Restored[] = []
  for (const namespace of ours) outcomes.push(await removeOne(kube, namespace, ended, signal))
  return outcomes
}

async function removeOne(
  kube: KubeClient,
  namespace: KubernetesObject,
  ended: readonly string[],
  signal: AbortSignal,
): Promise<Restored> {
  const { name = '', uid, labels } = namespace.metadata ?? {}
  const run = labels?.[RUN_LABEL] ?? ''
  const what = { object: `Namespace ${name}`, change: 'created' }
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
