import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import {
  BYOH_LABEL,
  INSTANCES_CONFIG_MAP,
  MACHINE_API_GROUP,
  MACHINE_API_NAMESPACE,
  MACHINE_API_VERSION,
  STAND_IN_LABEL,
  WINDOWS_STAND_IN_CONFIG_MAP,
  WMCO_DEPLOYMENT,
  WMCO_NAMESPACE,
} from '../../src/contract/names.ts'
import { isConflict, isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listAll } from '../../src/kube/list.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import { type Wait, waitFor } from '../../src/kube/wait-for.ts'
import { persist } from './persist.ts'
import type { Restored } from './restore.ts'

export const OPERATOR_CONFIG_MAPS = collectionPath('v1', 'configmaps', WMCO_NAMESPACE)
export const DEPLOYMENTS = collectionPath('apps/v1', 'deployments', WMCO_NAMESPACE)
export const MACHINE_API = `${MACHINE_API_GROUP}/${MACHINE_API_VERSION}`
export const MACHINE_SETS = collectionPath(MACHINE_API, 'machinesets', MACHINE_API_NAMESPACE)
export const MACHINES = collectionPath(MACHINE_API, 'machines', MACHINE_API_NAMESPACE)
/** Where to look for the Nodes of hosts from windows-instances. */
export const BYOH_NODES = { path: collectionPath('v1', 'nodes'), labelSelector: `${BYOH_LABEL}=true` }

const OPERATOR = objectPath(DEPLOYMENTS, WMCO_DEPLOYMENT)
const BY_HAND = [
  'By hand:',
  `  kubectl -n ${WMCO_NAMESPACE} delete configmap ${WINDOWS_STAND_IN_CONFIG_MAP} ${INSTANCES_CONFIG_MAP}`,
  `  kubectl -n ${MACHINE_API_NAMESPACE} delete machinesets --all`,
].join('\n')

export interface Deployment extends KubernetesObject {
  status?: {
    readyReplicas?: number
    conditions?: { type?: string; status?: string; lastTransitionTime?: string }[]
  }
}

interface Site {
  readonly kube: KubeClient
  /** Milliseconds for each thing that is to be gone, or back. */
  readonly limitMs: number
  readonly signal: AbortSignal
}

/**
 * Everything that scenarios told the stand-ins of the Windows operator and the Machine API goes, with the Nodes that came of
 * it; waits until the cluster is clean. Does nothing where a real operator is at work, or none: its hosts are not ours to
 * take away. Only for who holds the Windows hosts. Answers the names of what was there.
 */
export async function clearWindowsHosts(site: Site): Promise<readonly string[]> {
  const { kube, limitMs, signal } = site
  // Nobody but a stand-in reads it, and it may be told to take its own Deployment away.
  const steered = await removed(site, 'ConfigMap', OPERATOR_CONFIG_MAPS, WINDOWS_STAND_IN_CONFIG_MAP)
  if (steered.length > 0)
    await waitFor<Deployment, true>(kube, { ...isOperator('back'), path: DEPLOYMENTS, limitMs, signal })
  if (!(await isStandIn(site))) return steered
  const [listed, made] = await Promise.all([
    removed(site, 'ConfigMap', OPERATOR_CONFIG_MAPS, INSTANCES_CONFIG_MAP),
    removedMachineSets(site),
  ])
  await Promise.all([none(site, 'Machine', { path: MACHINES }), none(site, 'BYOH Node', BYOH_NODES)])
  return [...steered, ...listed, ...made]
}

/** The same for whoever gets the Windows hosts after somebody who may have ended without doing it. Throws only the signal's reason. */
export async function restoreWindowsHosts(site: Site): Promise<readonly Restored[]> {
  const change = 'made'
  try {
    const names = await clearWindowsHosts(site)
    return names.map((object) => ({ object, change, outcome: 'restored', note: '' }))
  } catch (error) {
    site.signal.throwIfAborted()
    const note = `${(error as Error).message}\n${BY_HAND}`
    return [{ object: 'Windows hosts', change, outcome: 'failed', note }]
  }
}

/** A wait for the operator's Deployment to be there, or not to be. */
export function isOperator(
  wanted: 'absent' | 'down' | 'back',
): Pick<Wait<Deployment, true>, 'for' | 'until' | 'show'> {
  return {
    for: `Deployment ${WMCO_DEPLOYMENT} to be ${wanted}`,
    show: ({ metadata, status }) => `${metadata?.name}: ${JSON.stringify(status)}`,
    until: (found) => {
      const operator = found.find(({ metadata }) => metadata?.name === WMCO_DEPLOYMENT)
      if (wanted === 'absent') return !operator || undefined
      const available = operator?.status?.conditions?.find(({ type }) => type === 'Available')?.status
      return available === (wanted === 'back' ? 'True' : 'False') || undefined
    },
  }
}

async function isStandIn({ kube, signal }: Site): Promise<boolean> {
  const operator = await found(persist(signal, () => kube.get<Deployment>(OPERATOR, signal)))
  return operator?.metadata?.labels?.[STAND_IN_LABEL] !== undefined
}

/** Its name, where there was one. */
async function removed(
  { kube, signal }: Site,
  kind: string,
  collection: string,
  name: string,
): Promise<readonly string[]> {
  const path = objectPath(collection, name)
  try {
    await persist(signal, () => kube.delete(path, undefined, signal))
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

async function found<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
}

function none(
  { kube, limitMs, signal }: Site,
  what: string,
  where: { readonly path: string; readonly labelSelector?: string },
): Promise<true> {
  const until = (objects: readonly KubernetesObject[]): true | undefined => objects.length === 0 || undefined
  return waitFor<KubernetesObject, true>(kube, {
    for: `no ${what} to be left`,
    ...where,
    until,
    limitMs,
    signal,
  })
}
