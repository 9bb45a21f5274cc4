import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KUBERNETES_VERSION } from '../versions.ts'
import { familyKey } from './build-family.ts'
import { type DebianTree, debianKey } from './debian.ts'
import { pinnedNode } from './node-runtime.ts'
import { partImages } from './part-images.ts'
import { FAMILIES, type FamilyName } from './programs.ts'
import { artifactPath } from './store.ts'

/** Raised when this code makes other images of the same inputs. */
const REVISION = 2

/** Debian trees that images are made from. */
export const TREES = {
  /** Beside programs that run others: kube-proxy, and everything of the workload image. */
  tools: {
    name: 'tools',
    suite: 'bookworm',
    packages: ['ca-certificates', 'conntrack', 'iproute2', 'iptables', 'kmod', 'nftables', 'restic'],
  },
  node: {
    name: 'node',
    suite: 'bookworm',
    packages: [
      'systemd',
      'systemd-sysv',
      'dbus',
      'conntrack',
      'iptables',
      'nftables',
      'iproute2',
      'ethtool',
      'util-linux',
      'mount',
      'kmod',
      'libseccomp2',
      'e2fsprogs',
      'ca-certificates',
      'curl',
      'jq',
      'procps',
      'socat',
      'containernetworking-plugins',
      'runc',
      'busybox-static',
    ],
  },
} as const satisfies Record<string, DebianTree>

export interface PlannedImage {
  readonly image: string
  /** Hash of all that it is made from. */
  readonly inputs: string
}

/** What a build makes and where: known before anything is made, so that what is there is found. */
export interface ImagePlan {
  /** Paths of the programs' artifacts. */
  readonly families: ReadonlyMap<FamilyName, string>
  /** Paths of the trees' artifacts. */
  readonly trees: Readonly<Record<keyof typeof TREES, string>>
  readonly workload: PlannedImage
  /** Of our own CSI driver; inside the node image, and in the engine where a cluster's node image is pulled. */
  readonly csiDriver: PlannedImage
  readonly node: PlannedImage
}

/** The folder of the node image's Dockerfile and files, and of the workload image's. */
export const NODE_IMAGE_FOLDER = fileURLToPath(new URL('node-image/', import.meta.url))
export const WORKLOAD_IMAGE_FOLDER = fileURLToPath(new URL('workload-image/', import.meta.url))

export async function planImages(): Promise<ImagePlan> {
  const families = new Map<FamilyName, string>()
  for (const each of FAMILIES) families.set(each.name, artifactPath(await familyKey(each)))
  const trees = { tools: artifactPath(debianKey(TREES.tools)), node: artifactPath(debianKey(TREES.node)) }
  const runtime = await pinnedNode()
  const workload = hash(REVISION, basename(trees.tools), runtime, await contents(WORKLOAD_IMAGE_FOLDER))
  const driver = hash(REVISION, basename(families.get('csi-driver') ?? ''))
  const csiDriver = { image: `poolwright.dev/csi-driver:${driver.slice(0, 12)}`, inputs: driver }
  const node = hash(
    REVISION,
    [...families.values()].map((path) => basename(path)),
    basename(trees.node),
    basename(trees.tools),
    await contents(NODE_IMAGE_FOLDER),
    partImages('', csiDriver.image),
    workload,
  )
  return {
    families,
    trees,
    csiDriver,
    workload: { image: `poolwright.dev/workload:${workload.slice(0, 12)}`, inputs: workload },
    node: { image: `poolwright.dev/node:${KUBERNETES_VERSION}-${node.slice(0, 12)}`, inputs: node },
  }
}

/** Every file of a folder, by name. */
async function contents(folder: string): Promise<string[][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  return Promise.all(paths.map(async (path) => [path.slice(folder.length), await readFile(path, 'utf8')]))
}

function hash(...inputs: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
}
