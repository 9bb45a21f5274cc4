import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KUBERNETES_VERSION, PROGRAM_VERSIONS } from '../versions.ts'

export type FamilyName =
  | 'kubernetes'
  | 'kubectl'
  | 'containerd'
  | 'etcd'
  | 'kind'
  | 'coredns'
  | 'csi-provisioner'
  | 'csi-attacher'
  | 'metallb'
  | 'local-path'
  | 'csi-driver'
  | 'pause'

/** Programs that are built together and make one artifact: `bin/PROGRAM` and, with files, `files/…`. */
export interface ProgramFamily {
  readonly name: FamilyName
  /** The folder under modules/ that pins them: nothing but tool directives and replaces. */
  readonly module: string
  /** The module is a program of our own, whose source is an input as well. */
  readonly ownSource?: true
  readonly packages: readonly string[]
  /** By default a program is called as the last part of its package. Only where the family is one program. */
  readonly program?: string
  readonly tags?: readonly string[]
  /** Values for variables, which without them say that this is a development version. */
  readonly variables?: Readonly<Record<string, string>>
  /** What is needed of the modules besides programs: the module cache doesn't stay. */
  readonly files?: readonly ModuleFiles[]
  /** A program that, run with these words, must name this version. */
  readonly proof?: { readonly program: string; readonly words: readonly string[]; readonly says: string }
  /** Seconds on two cores with empty caches, built in the order of this table. */
  readonly estimate: number
}

export interface ModuleFiles {
  readonly module: string
  /** A file or folder in the module. */
  readonly from: string
  /** Where it goes, under the artifact's files/. */
  readonly to: string
}

const [MAJOR, MINOR] = KUBERNETES_VERSION.slice(1).split('.') as [string, string]
const KUBERNETES = {
  module: 'kubernetes',
  variables: {
    'k8s.io/component-base/version.gitVersion': KUBERNETES_VERSION,
    'k8s.io/component-base/version.gitMajor': MAJOR,
    'k8s.io/component-base/version.gitMinor': MINOR,
    'k8s.io/component-base/version.gitTreeState': 'clean',
    'k8s.io/client-go/pkg/version.gitVersion': KUBERNETES_VERSION,
  },
}

/** In the order they are best built: each warms the compiler's cache for the next. */
export const FAMILIES: readonly ProgramFamily[] = [
  {
    ...KUBERNETES,
    // By itself, since some want no more than this.
    name: 'kubectl',
    packages: ['k8s.io/kubernetes/cmd/kubectl'],
    proof: { program: 'kubectl', words: ['version', '--client'], says: KUBERNETES_VERSION },
    estimate: 110,
  },
  {
    ...KUBERNETES,
    name: 'kubernetes',
    packages: [
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
      'kube-proxy',
      'kubelet',
      'kubeadm',
    ].map((program) => `k8s.io/kubernetes/cmd/${program}`),
    proof: { program: 'kubelet', words: ['--version'], says: KUBERNETES_VERSION },
    estimate: 250,
  },
  {
    name: 'etcd',
    module: 'etcd',
    // The root package of the server is the program.
    packages: ['go.etcd.io/etcd/server/v3'],
    program: 'etcd',
    proof: { program: 'etcd', words: ['--version'], says: versionNumber('go.etcd.io/etcd/server/v3') },
    estimate: 25,
  },
  {
    name: 'kind',
    module: 'kind',
    packages: ['sigs.k8s.io/kind'],
    files: [{ module: 'sigs.k8s.io/kind', from: 'images/base', to: 'base' }],
    proof: { program: 'kind', words: ['version'], says: PROGRAM_VERSIONS['sigs.k8s.io/kind'] },
    estimate: 5,
  },
  {
    name: 'containerd',
    module: 'containerd',
    packages: ['containerd', 'ctr', 'containerd-shim-runc-v2'].map(
      (program) => `github.com/containerd/containerd/v2/cmd/${program}`,
    ),
    // Snapshotters that the nodes don't use, and that need more than Go to build.
    tags: ['no_btrfs', 'no_zfs', 'no_devmapper', 'no_aufs'],
    variables: {
      'github.com/containerd/containerd/v2/version.Version':
        PROGRAM_VERSIONS['github.com/containerd/containerd/v2'],
    },
    proof: {
      program: 'containerd',
      words: ['--version'],
      says: PROGRAM_VERSIONS['github.com/containerd/containerd/v2'],
    },
    estimate: 50,
  },
  {
    name: 'coredns',
    module: 'coredns',
    packages: ['github.com/coredns/coredns'],
    proof: { program: 'coredns', words: ['--version'], says: versionNumber('github.com/coredns/coredns') },
    estimate: 105,
  },
  {
    // Not one family with the attacher: this one is made for Kubernetes 0.33, doesn't compile against 0.37.
    name: 'csi-provisioner',
    module: 'csi-provisioner',
    packages: ['github.com/kubernetes-csi/external-provisioner/v5/cmd/csi-provisioner'],
    variables: { 'main.version': PROGRAM_VERSIONS['github.com/kubernetes-csi/external-provisioner/v5'] },
    files: [
      {
        module: 'github.com/kubernetes-csi/external-provisioner/v5',
        from: 'deploy/kubernetes',
        to: 'deploy',
      },
    ],
    proof: {
      program: 'csi-provisioner',
      words: ['--version'],
      says: PROGRAM_VERSIONS['github.com/kubernetes-csi/external-provisioner/v5'],
    },
    estimate: 100,
  },
  {
    name: 'csi-attacher',
    module: 'csi-attacher',
    packages: ['github.com/kubernetes-csi/external-attacher/v4/cmd/csi-attacher'],
    variables: { 'main.version': PROGRAM_VERSIONS['github.com/kubernetes-csi/external-attacher/v4'] },
    files: [
      { module: 'github.com/kubernetes-csi/external-attacher/v4', from: 'deploy/kubernetes', to: 'deploy' },
    ],
    proof: {
      program: 'csi-attacher',
      words: ['--version'],
      says: PROGRAM_VERSIONS['github.com/kubernetes-csi/external-attacher/v4'],
    },
    estimate: 120,
  },
  {
    name: 'metallb',
    module: 'metallb',
    packages: ['go.universe.tf/metallb/controller', 'go.universe.tf/metallb/speaker'],
    files: [{ module: 'go.universe.tf/metallb', from: 'config/manifests', to: 'manifests' }],
    estimate: 75,
  },
  {
    name: 'local-path',
    module: 'local-path',
    packages: ['github.com/rancher/local-path-provisioner'],
    variables: { 'main.VERSION': PROGRAM_VERSIONS['github.com/rancher/local-path-provisioner'] },
    files: [{ module: 'github.com/rancher/local-path-provisioner', from: 'deploy', to: 'deploy' }],
    proof: {
      program: 'local-path-provisioner',
      words: ['--version'],
      says: PROGRAM_VERSIONS['github.com/rancher/local-path-provisioner'],
    },
    estimate: 75,
  },
  {
    name: 'csi-driver',
    module: '../csi-driver',
    ownSource: true,
    packages: ['.'],
    program: 'poolwright-csi',
    estimate: 30,
  },
  {
    name: 'pause',
    module: '../pause',
    ownSource: true,
    packages: ['.'],
    program: 'pause',
    estimate: 5,
  },
]

export function family(name: FamilyName): ProgramFamily {
  return FAMILIES.find((known) => known.name === name) as ProgramFamily
}

export function modulePath(module: string): string {
  return fileURLToPath(new URL(`modules/${module}/`, import.meta.url))
}

/** Names of the programs, which lie in the artifact's bin/. */
export function programs({ packages, program }: ProgramFamily): readonly string[] {
  if (program !== undefined) return [program]
  return packages.map((path) => path.slice(path.lastIndexOf('/') + 1))
}

/** Where a program lies in its family's artifact. */
export function programPath(artifact: string, program: string): string {
  return join(artifact, 'bin', process.platform === 'win32' ? `${program}.exe` : program)
}

function versionNumber(module: keyof typeof PROGRAM_VERSIONS): string {
  return PROGRAM_VERSIONS[module].slice(1)
}
