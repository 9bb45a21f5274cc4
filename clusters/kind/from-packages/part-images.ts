import { PROGRAM_VERSIONS } from '../versions.ts'
import type { FamilyName } from './programs.ts'

/** An image of one static program in an otherwise empty tree, or beside a Debian tree where it runs others. */
export interface PartImage {
  /** As the manifests and kubeadm name it, with its tag. */
  readonly image: string
  readonly family: FamilyName
  readonly program: string
  /** It runs programs of the Debian tree `tools`. */
  readonly withTools?: true
}

/** A shell and little else, for the provisioner's helper pods; only ever inside the node image, which pins it. */
export const HELPER_IMAGE = 'poolwright.dev/busybox:pinned'
export const PROVISIONER_IMAGE = `docker.io/rancher/local-path-provisioner:${PROGRAM_VERSIONS['github.com/rancher/local-path-provisioner']}`
/** What containerd's configuration in kind's base names, whatever kubeadm would take. */
const SANDBOX_IMAGE = 'registry.k8s.io/pause:3.10'

const METALLB = PROGRAM_VERSIONS['go.universe.tf/metallb']

/** Beside what kubeadm asks for. */
const OTHERS: readonly PartImage[] = [
  { image: SANDBOX_IMAGE, family: 'pause', program: 'pause' },
  { image: PROVISIONER_IMAGE, family: 'local-path', program: 'local-path-provisioner' },
  { image: `quay.io/metallb/controller:${METALLB}`, family: 'metallb', program: 'controller' },
  { image: `quay.io/metallb/speaker:${METALLB}`, family: 'metallb', program: 'speaker' },
  {
    image: `registry.k8s.io/sig-storage/csi-provisioner:${PROGRAM_VERSIONS['github.com/kubernetes-csi/external-provisioner/v5']}`,
    family: 'csi-provisioner',
    program: 'csi-provisioner',
  },
  {
    image: `registry.k8s.io/sig-storage/csi-attacher:${PROGRAM_VERSIONS['github.com/kubernetes-csi/external-attacher/v4']}`,
    family: 'csi-attacher',
    program: 'csi-attacher',
  },
]

/** How kubeadm's image names end, before the tag. */
const OF_KUBEADM: Readonly<Record<string, Omit<PartImage, 'image'>>> = {
  'kube-apiserver': { family: 'kubernetes', program: 'kube-apiserver' },
  'kube-controller-manager': { family: 'kubernetes', program: 'kube-controller-manager' },
  'kube-scheduler': { family: 'kubernetes', program: 'kube-scheduler' },
  'kube-proxy': { family: 'kubernetes', program: 'kube-proxy', withTools: true },
  etcd: { family: 'etcd', program: 'etcd' },
  coredns: { family: 'coredns', program: 'coredns' },
  pause: { family: 'pause', program: 'pause' },
}

/**
 * Every image that the node image has inside besides the workload image and the helper.
 *
 * @param asked what `kubeadm config images list` prints, one name a line
 * @param csiDriver what the image of our CSI driver is called
 */
export function partImages(asked: string, csiDriver: string): readonly PartImage[] {
  const ofKubeadm = asked
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((image) => {
      const name = /([a-z0-9-]+):[^:/]+$/.exec(image)?.[1] ?? ''
      const known = OF_KUBEADM[name]
      if (!known) throw new Error(`kubeadm asks for image ${image}, which nothing here makes`)
      return { image, ...known }
    })
  const names = new Set(ofKubeadm.map(({ image }) => image))
  return [
    ...ofKubeadm,
    ...OTHERS.filter(({ image }) => !names.has(image)),
    { image: csiDriver, family: 'csi-driver', program: 'poolwright-csi' },
  ]
}
