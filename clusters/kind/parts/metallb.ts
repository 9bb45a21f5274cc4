import type { KubernetesObject } from '../../../src/contract/kubernetes.ts'
import { ADDRESS_POOL_LABEL } from '../../../src/contract/names.ts'
import type { AddressPools } from '../network.ts'

/** Where MetalLB's own manifests put it. */
export const METALLB_NAMESPACE = 'metallb-system'

/** A pool for each role; autoAssign is off, so a Service names its pool or gets nothing. */
export function addressPools(pools: AddressPools): KubernetesObject[] {
  const resources = Object.entries(pools).map(([role, range]) => ({
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: role, namespace: METALLB_NAMESPACE, labels: { [ADDRESS_POOL_LABEL]: role } },
    spec: { addresses: [range], autoAssign: false },
  }))
  const advertisement = {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'L2Advertisement',
    metadata: { name: 'all-pools', namespace: METALLB_NAMESPACE },
    spec: { ipAddressPools: Object.keys(pools) },
  }
  return [...resources, advertisement]
}
