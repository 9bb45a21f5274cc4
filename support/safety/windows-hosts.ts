import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import {
  INSTANCES_CONFIG_MAP,
  MACHINE_API_NAMESPACE,
  STAND_IN_LABEL,
  WINDOWS_STAND_IN_CONFIG_MAP,
  WMCO_NAMESPACE,
} from '../../src/contract/names.ts'
import { ifFound, isConflict, isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { waitFor } from '../../src/kube/wait-for.ts'
import {
  BYOH_NODES,
  DEPLOYMENTS,
  type Deployment,
  isOperator,
  MACHINE_SETS,
  MACHINES,
  OPERATOR_CONFIG_MAPS,
} from '../windows-objects.ts'
import type { Right } from './changes.ts'
import { persist } from './persist.ts'
import type { Restored } from './restore.ts'

const OPERATORS_NAMESPACE = objectPath(collectionPath('v1', 'namespaces'), WMCO_NAMESPACE)
const BY_HAND = [
  'By hand:',
  `  kubectl -n ${WMCO_NAMESPACE} delete configmap ${WINDOWS_STAND_IN_CONFIG_MAP} ${INSTANCES_CONFIG_MAP}`,
  `  kubectl -n ${MACHINE_API_NAMESPACE} delete machinesets --all`,
].join('\n')

interface Site {
  readonly kube: KubeClient
  /** Milliseconds for each thing that is to be gone, or back. */
  readonly limitMs: number
  readonly signal: AbortSignal
  /** To the Windows hosts. */
  readonly right: Right
}

/**
 * Everything that scenarios told the stand-ins of the Windows operator and the Machine API goes, with the Nodes that came of
 * it; waits until the cluster is clean. Does nothing where a real operator is at work, or none: its hosts are not ours to
 * take away. Answers the names of what was there.
 */
export async function clearWindowsHosts(asked: Site): Promise<readonly string[]> {
  const site = { ...asked, signal: AbortSignal.any([asked.signal, asked.right.signal]) }
  const { kube, limitMs, signal } = site
  if (!(await isOfStandIn(site))) return []
  const gone = await Promise.all([
    removed(site, 'ConfigMap', OPERATOR_CONFIG_MAPS, WINDOWS_STAND_IN_CONFIG_MAP),
    removed(site, 'ConfigMap', OPERATOR_CONFIG_MAPS, INSTANCES_CONFIG_MAP),
    removedMachineSets(site),
  ])
  await Promise.all([
    // It may have been told to take its own Deployment away, and removes no Node without.
    waitFor<Deployment, true>(kube, { ...isOperator('back'), path: DEPLOYMENTS, limitMs, signal }),
    none(site, 'Machine', { path: MACHINES }),
    none(site, 'BYOH Node', BYOH_NODES),
  ])
  return gone.flat()
}

/**
 * The same for whoever gets the Windows hosts after somebody who may have ended without doing it. Throws the signal's reason
 * alone.
 */
export async function restoreWindowsHosts(site: Site): Promise<readonly Restored[]> {
  const change = 'made'
  try {
    const names = await clearWindowsHosts(site)
    return names.map((object) => ({ object, change, outcome: 'restored', note: '' }))
  } catch (error) {
    site.signal.throwIfAborted()
    // Nobody is told to delete a real operator's.
    const byHand = (await isOfStandIn(site).catch(() => false)) ? `\n${BY_HAND}` : ''
    return [
      { object: 'Windows hosts', change, outcome: 'failed', note: `${(error as Error).message}${byHand}` },
    ]
  }
}

/** By the namespace, which nothing that a scenario tells a stand-in takes away. */
async function isOfStandIn({ kube, signal }: Site): Promise<boolean> {
  const namespace = await ifFound(persist(signal, () => kube.get(OPERATORS_NAMESPACE, signal)))
  return namespace?.metadata?.labels?.[STAND_IN_LABEL] !== undefined
}

/** Its name, where there was one. */
async function removed(
  { kube, signal, right }: Site,
  kind: string,
  collection: string,
  name: string,
): Promise<readonly string[]> {
  const path = objectPath(collection, name)
  try {
    await persist(signal, () => {
      right.assertHeld()
      return kube.delete(path, undefined, signal)
    })
    return [`${kind} ${name}`]
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error
    return []
  }
}

async function removedMachineSets(site: Site): Promise<readonly string[]> {
  const { kube, signal } = site
  const { objects } = await persist(signal, () => listAll(kube, { path: MACHINE_SETS, signal }))
  const names = objects.map(({ metadata }) => metadata?.name ?? '')
  return (await Promise.all(names.map((name) => removed(site, 'MachineSet', MACHINE_SETS, name)))).flat()
}

function none(
  { kube, limitMs, signal }: Site,
  what: string,
  where: { readonly path: string; readonly labelSelector?: string },
): Promise<true> {
  return waitFor<KubernetesObject, true>(kube, {
    for: `no ${what} to be left`,
    ...where,
    until: (objects) => objects.length === 0 || undefined,
    limitMs,
    signal,
  })
}
