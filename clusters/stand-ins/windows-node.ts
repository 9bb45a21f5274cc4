import { createHash } from 'node:crypto'
import { isIPv4 } from 'node:net'
import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { BYOH_LABEL, MACHINE_ANNOTATION } from '../../src/contract/names.ts'
import { type Condition, transition } from './conditions.ts'
import { standInLabels } from './ensure.ts'
import { now, rfc3339 } from './time.ts'

/** A host that should be a Node. */
export interface WindowsHost {
  readonly nodeName: string
  readonly addresses: readonly { readonly type: string; readonly address: string }[]
  /** `namespace/name` and provider id of the Machine it runs on; absent for a host of somebody's own. */
  readonly machine?: { readonly key: string; readonly providerId: string }
}

/** A host named by its address alone. Node names are the hosts' names, which an address doesn't tell. */
export function hostOf(address: string): WindowsHost {
  const plain = `byoh-${address.replaceAll('.', '-')}`
  const hash = createHash('sha256').update(address).digest('hex').slice(0, 8)
  // The name is a label's value too, which is shorter than a DNS name may be.
  const nodeName = plain.length <= 63 ? plain : `${plain.slice(0, 54)}-${hash}`
  const type = isIPv4(address) ? 'InternalIP' : 'InternalDNS'
  return { nodeName, addresses: [{ type, address }] }
}

/** The Node as the kubelet of such a host registers it, and as the operator labels it. */
export function windowsNode(host: WindowsHost): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: host.nodeName,
      labels: {
        'kubernetes.io/os': 'windows',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': host.nodeName,
        'node.kubernetes.io/windows-build': '10.0.20348',
        'node-role.kubernetes.io/worker': '',
        ...(!host.machine && { [BYOH_LABEL]: 'true' }),
        ...standInLabels('windows-operator'),
      },
      ...(host.machine && { annotations: { [MACHINE_ANNOTATION]: host.machine.key } }),
    },
    spec: {
      ...(host.machine && { providerID: host.machine.providerId }),
      taints: [{ key: 'os', value: 'Windows', effect: 'NoSchedule' }],
    },
  }
}

export interface NodeStatus {
  conditions?: Condition[]
  addresses?: { type: string; address: string }[]
}

/** The Ready condition of a host that answers, or doesn't. */
export function readyCondition(ready: boolean): Condition {
  return ready
    ? { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
    : {
        type: 'Ready',
        status: 'False',
        reason: 'KubeletNotReady',
        message: 'container runtime network not ready: cni plugin not initialized',
      }
}

/**
 * What its kubelet would report now; `node` is the Node as it was last seen, undefined where it was made this very moment,
 * `kubeletVersion` the cluster's own.
 */
export function nodeStatus(
  host: WindowsHost,
  ready: boolean,
  node: KubernetesObject | undefined,
  kubeletVersion: string,
): Record<string, unknown> {
  const earlier = node?.status as NodeStatus | undefined
  const heartbeat = firstHeartbeatAfter(node?.metadata?.creationTimestamp ?? now())
  const resources = { cpu: '4', memory: '16Gi', pods: '250', 'ephemeral-storage': '100Gi' }
  return {
    addresses: [...host.addresses, { type: 'Hostname', address: host.nodeName }],
    capacity: resources,
    allocatable: resources,
    conditions: [
      ...PRESSURES.map((type) => condition(earlier, heartbeat, sufficient(type))),
      condition(earlier, heartbeat, readyCondition(ready)),
    ],
    nodeInfo: {
      architecture: 'amd64',
      bootID: '',
      containerRuntimeVersion: 'containerd://2.1.4',
      kernelVersion: '10.0.20348.2700',
      kubeProxyVersion: kubeletVersion,
      kubeletVersion,
      machineID: host.nodeName,
      operatingSystem: 'windows',
      osImage: 'Windows Server 2022 Datacenter (stand-in)',
      systemUUID: '',
    },
  }
}

/**
 * Now, but never within the second in which the Node was made: kube-controller-manager takes a Node without conditions for one
 * that last spoke when it was made, and a heartbeat of the same second for none. Where a Node of this name was there minutes ago
 * it then counts from that one's last word, and gives the new one up at once (v1.36).
 */
function firstHeartbeatAfter(creation: string): string {
  return rfc3339(Math.max(Date.now(), Date.parse(creation) + 1_000))
}

const PRESSURES = ['MemoryPressure', 'DiskPressure', 'PIDPressure'] as const

function sufficient(type: (typeof PRESSURES)[number]): Condition {
  const resource = type.replace('Pressure', '')
  return {
    type,
    status: 'False',
    reason: `KubeletHasSufficient${resource}`,
    message: `kubelet has sufficient ${resource.toLowerCase()} available`,
  }
}

function condition(earlier: NodeStatus | undefined, lastHeartbeatTime: string, wanted: Condition): Condition {
  return { ...transition(earlier?.conditions, wanted), lastHeartbeatTime }
}
