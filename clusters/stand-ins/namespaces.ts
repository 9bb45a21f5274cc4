import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { MACHINE_API_NAMESPACE, WMCO_NAMESPACE } from '../../src/contract/names.ts'
import { type StandIn, standInLabels } from './ensure.ts'

/** Where what the stand-ins play would be on OpenShift, and they work. */
export const OPERATOR_NAMESPACE = namespace(WMCO_NAMESPACE, 'windows-operator')
export const MACHINE_NAMESPACE = namespace(MACHINE_API_NAMESPACE, 'machine-controller')

function namespace(name: string, standIn: StandIn): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: standInLabels(standIn) } }
}
