import type { KubernetesObject, ObjectMeta } from '../../src/contract/kubernetes.ts'
import { MACHINE_API_GROUP, MACHINE_API_NAMESPACE, MACHINE_API_VERSION } from '../../src/contract/names.ts'
import { collectionPath } from '../../src/kube/paths.ts'

export const MACHINE_API = `${MACHINE_API_GROUP}/${MACHINE_API_VERSION}`
export const MACHINES = collectionPath(MACHINE_API, 'machines', MACHINE_API_NAMESPACE)
export const MACHINE_SETS = collectionPath(MACHINE_API, 'machinesets', MACHINE_API_NAMESPACE)

/** Holds a Machine until its cloud instance and its Node are gone. */
export const MACHINE_FINALIZER = 'machine.machine.openshift.io'

/** What the stand-in uses of a Machine, machine.openshift.io/v1beta1. */
export interface Machine extends KubernetesObject {
  metadata: ObjectMeta & { name: string }
  spec: { providerID?: string; [field: string]: unknown }
  status?: {
    addresses?: { type: string; address: string }[]
    nodeRef?: { kind: string; name: string; uid: string }
    phase?: string
    errorReason?: string
    errorMessage?: string
    lastUpdated?: string
  }
}

/** What the stand-in uses of a MachineSet. */
export interface MachineSet extends KubernetesObject {
  metadata: ObjectMeta & { name: string; uid: string }
  spec: {
    replicas?: number
    template: { metadata?: ObjectMeta; spec?: Record<string, unknown> }
    [field: string]: unknown
  }
  status?: Record<string, unknown>
}

/** Tells the two apart where both are dealt with. */
export function isMachineSet(object: Machine | MachineSet): object is MachineSet {
  return object.kind === 'MachineSet'
}

/** The MachineSet that made this object, by uid. */
export function ownerUid(machine: KubernetesObject): string | undefined {
  const owners = machine.metadata?.ownerReferences
  const owner = (Array.isArray(owners) ? owners : []).find((reference) => reference?.kind === 'MachineSet')
  return typeof owner?.uid === 'string' ? owner.uid : undefined
}
