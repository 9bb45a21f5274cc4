import { parseAllDocuments } from 'yaml'
import type { StorageRole } from '../../../src/contract/cluster-roles.ts'
import { UsageError } from '../../../src/contract/errors.ts'
import type { KubernetesObject } from '../../../src/contract/kubernetes.ts'
import { STORAGE_ROLE_LABEL } from '../../../src/contract/names.ts'
import type { ClusterPlan } from '../cluster-plan.ts'
import type { AddressPools } from '../network.ts'
import type { Tools } from '../tools.ts'
import { addressPools, METALLB_NAMESPACE } from './metallb.ts'
import { ON_CONTROL_PLANE, placed } from './placement.ts'
import { podNetworkManifests } from './pod-network.ts'
import { standInManifests } from './stand-ins.ts'

const OWN_STORAGE = 'standard'

export interface Installation {
  /** As kind knows it. */
  readonly cluster: string
  readonly plan: ClusterPlan
  readonly pools: AddressPools
  readonly kubeconfig: string
  readonly tools: Pick<Tools, 'kubectl'>
  readonly signal: AbortSignal
  readonly progress: (line: string) => void
}

/** Installs what a bare kind cluster lacks. What is installed may still be starting when this resolves. */
export async function installParts(installation: Installation): Promise<void> {
  const { plan, progress, cluster } = installation
  if (plan.images.ownPodNetwork) {
    if (plan.podNetworkImage === undefined)
      throw new UsageError(
        `Node image ${plan.images.node} has no pod network, and there is no workload image to run one`,
      )
    progress('installing the pod network')
    const controlPlane = `${cluster}-control-plane`
    const manifests = podNetworkManifests(plan.podNetwork, plan.podNetworkImage, controlPlane)
    await apply(installation, 'installing the pod network', manifests)
  }
  progress('moving CoreDNS and the local-path provisioner to the control plane')
  await moveToControlPlane(installation, 'kube-system', 'coredns')
  await moveToControlPlane(installation, 'local-path-storage', 'local-path-provisioner')
  await markOwnStorage(installation)
  progress('installing MetalLB')
  await apply(installation, 'installing MetalLB', placed(read(await plan.images.metallb())))
  if (plan.csi.length > 0) {
    progress('installing the CSI driver')
    await apply(installation, 'installing the CSI driver', plan.csi.flatMap(read))
  }
  if (plan.images.workload !== undefined) {
    progress('installing the Windows stand-ins')
    const manifests = standInManifests(plan.standIns, plan.images.workload)
    await apply(installation, 'installing the Windows stand-ins', manifests)
  }
}

/** MetalLB judges pools itself, so they come once it is available. */
export async function installPools(installation: Installation): Promise<void> {
  installation.progress('carving address pools for load balancers')
  await apply(
    installation,
    `installing address pools in ${METALLB_NAMESPACE}`,
    addressPools(installation.pools),
  )
}

async function moveToControlPlane(
  { kubeconfig, tools, signal }: Installation,
  namespace: string,
  deployment: string,
): Promise<void> {
  // One is enough for a cluster of three, and leaves the other cores to what is tested.
  const patch = { spec: { replicas: 1, template: { spec: ON_CONTROL_PLANE } } }
  const words = [
    '--namespace',
    namespace,
    'patch',
    'deployment',
    deployment,
    '--patch',
    JSON.stringify(patch),
  ]
  await tools.kubectl(['--kubeconfig', kubeconfig, ...words], {
    for: `placing Deployment ${namespace}/${deployment}`,
    signal,
  })
}

/** The class that kind installs by itself, volumes of the local-path provisioner, has no label that says what it is for. */
async function markOwnStorage({ kubeconfig, tools, signal }: Installation): Promise<void> {
  const role: StorageRole = 'local'
  const words = ['label', '--overwrite', 'storageclass', OWN_STORAGE, `${STORAGE_ROLE_LABEL}=${role}`]
  await tools.kubectl(['--kubeconfig', kubeconfig, ...words], {
    for: `marking StorageClass ${OWN_STORAGE}`,
    signal,
  })
}

async function apply(
  { kubeconfig, tools, signal }: Installation,
  what: string,
  manifests: readonly KubernetesObject[],
): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: manifests }
  const words = ['apply', '--server-side', '--force-conflicts', '--filename', '-']
  await tools.kubectl(['--kubeconfig', kubeconfig, ...words], {
    for: what,
    input: JSON.stringify(list),
    signal,
  })
}

function read(text: string): KubernetesObject[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((manifest) => manifest !== null)
}
