/** Where the Windows operator and the Machine API have what the suite looks at, and what that looks like. */
import type { KubernetesObject } from '../src/contract/kubernetes.ts'
import {
  BYOH_LABEL,
  MACHINE_API_GROUP,
  MACHINE_API_NAMESPACE,
  MACHINE_API_VERSION,
  WMCO_DEPLOYMENT,
  WMCO_NAMESPACE,
} from '../src/contract/names.ts'
import { collectionPath } from '../src/kube/paths.ts'
import type { Wait } from '../src/kube/wait-for.ts'

export const NODES = collectionPath('v1', 'nodes')
export const OPERATOR_CONFIG_MAPS = collectionPath('v1', 'configmaps', WMCO_NAMESPACE)
export const DEPLOYMENTS = collectionPath('apps/v1', 'deployments', WMCO_NAMESPACE)
export const MACHINE_API = `${MACHINE_API_GROUP}/${MACHINE_API_VERSION}`
export const MACHINE_SETS = collectionPath(MACHINE_API, 'machinesets', MACHINE_API_NAMESPACE)
export const MACHINES = collectionPath(MACHINE_API, 'machines', MACHINE_API_NAMESPACE)
/** Where to look for the Nodes of hosts from windows-instances. */
export const BYOH_NODES = { path: NODES, labelSelector: `${BYOH_LABEL}=true` }

export interface Deployment extends KubernetesObject {
  status?: {
    readyReplicas?: number
    conditions?: { type?: string; status?: string; lastTransitionTime?: string }[]
  }
}

export interface ClusterNode extends KubernetesObject {
  status?: {
    addresses?: { type?: string; address?: string }[]
    conditions?: { type?: string; status?: string; reason?: string; lastTransitionTime?: string }[]
  }
}

/** Whether the Node says that this address is one of its own. */
export function hasAddress({ status }: ClusterNode, address: string): boolean {
  return status?.addresses?.some((own) => own.address === address) ?? false
}

/** Whether the Node at this address is Ready; undefined where there is none. */
export function isReadyAt(nodes: readonly ClusterNode[], address: string): boolean | undefined {
  const node = nodes.find((one) => hasAddress(one, address))
  return (
    node &&
    (node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false)
  )
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
