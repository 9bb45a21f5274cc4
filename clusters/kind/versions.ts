/** What the nodes run; kubeadm, kubelet and kubectl are of the same version. */
export const KUBERNETES_VERSION = 'v1.36.3'

/** Programs that are built from Go modules; the modules' go.mod files name the same versions. */
export const PROGRAM_VERSIONS = {
  'k8s.io/kubernetes': KUBERNETES_VERSION,
  // These two as kubeadm asks for them: other tags it wouldn't find in the node image.
  'go.etcd.io/etcd/server/v3': 'v3.6.8',
  'github.com/coredns/coredns': 'v1.14.2',
  'sigs.k8s.io/kind': 'v0.33.0',
  'github.com/containerd/containerd/v2': 'v2.3.7',
  'github.com/rancher/local-path-provisioner': 'v0.0.30',
  'go.universe.tf/metallb': 'v0.15.2',
  'github.com/kubernetes-csi/external-provisioner/v5': 'v5.3.0',
  'github.com/kubernetes-csi/external-attacher/v4': 'v4.13.0',
} as const

/** MetalLB's own manifests, from where it publishes them. */
export const METALLB_MANIFESTS = {
  url: `https://raw.githubusercontent.com/metallb/metallb/${PROGRAM_VERSIONS['go.universe.tf/metallb']}/config/manifests/metallb-native.yaml`,
  // Of the same file in Go module go.universe.tf/metallb of that version, whose sum is in its go.sum here.
  sha256: 'a1b04c376fb39c93265f551fe23716a3ae6e09b790edb3bf257d3fc784c35a18',
} as const

/**
 * What is pulled where image registries are in reach; the nodes never pull, all of it is loaded into them. Digests are
 * those that a source gives, and scripts/pin-digests.ts fills in the others where registries are in reach.
 */
export const PUBLISHED_IMAGES = {
  // Digest: the release notes of kind v0.33.0, which this image was made for.
  node: 'kindest/node:v1.36.4@sha256:099e049362a1526b2db71494e1947aae99bd16290d7c895f2b7ea312e3cbfaed',
  metallbController: 'quay.io/metallb/controller:v0.15.2',
  metallbSpeaker: 'quay.io/metallb/speaker:v0.15.2',
  csiProvisioner: 'registry.k8s.io/sig-storage/csi-provisioner:v5.3.0',
  csiAttacher: 'registry.k8s.io/sig-storage/csi-attacher:v4.13.0',
  // Of the CSI project's documentation and its users' manifests; they were never run here.
  csiNodeDriverRegistrar: 'registry.k8s.io/sig-storage/csi-node-driver-registrar:v2.13.0',
  csiHostPath: 'registry.k8s.io/sig-storage/hostpathplugin:v1.17.1',
} as const
