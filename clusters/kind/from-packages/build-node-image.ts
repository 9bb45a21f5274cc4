import { randomBytes } from 'node:crypto'
import { chmod, cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { bindMount } from '../bind-mount.ts'
import { INSIDE_LABEL, METALLB_INSIDE, ROLE_LABEL } from '../engine-images.ts'
import { runTool } from '../run-tool.ts'
import { KUBERNETES_VERSION } from '../versions.ts'
import { toolsImage } from './build-workload-image.ts'
import { metallbManifestsPath } from './built-images.ts'
import { rootfsPath } from './debian.ts'
import {
  buildDockerfile,
  type ImageBuild,
  INPUTS_LABEL,
  importArchive,
  importProgram,
  importTree,
  place,
} from './image-build.ts'
import { type ImagePlan, NODE_IMAGE_FOLDER } from './image-plan.ts'
import { HELPER_IMAGE, type PartImage, PROVISIONER_IMAGE, partImages } from './part-images.ts'
import { type FamilyName, programPath } from './programs.ts'
import { MADE_BY_LABEL, unfinishedContainer, unfinishedImage } from './unfinished.ts'

/** A containerd that starts on a busy machine. */
const CONTAINERD_LIMIT_MS = 60_000

/** Each image has its name twice here, the one it has and the one it is to have. */
const RENAME = `set -e
while [ $# -gt 0 ]; do
  ctr --namespace k8s.io images tag --force "$1" "$2"
  ctr --namespace k8s.io images rm "$1"
  shift 2
done`

/** What makes a node of a Debian tree, by where it goes. */
const NODE_PROGRAMS: readonly (readonly [FamilyName, string, string])[] = [
  ['containerd', 'containerd', 'usr/local/bin'],
  ['containerd', 'ctr', 'usr/local/bin'],
  ['containerd', 'containerd-shim-runc-v2', 'usr/local/bin'],
  ['kubernetes', 'kubelet', 'usr/bin'],
  ['kubernetes', 'kubeadm', 'usr/bin'],
  ['kubectl', 'kubectl', 'usr/bin'],
]

/**
 * The node image, with every image of the cluster's parts and the workload image inside. Needs the tools image and the
 * workload image. Answers the names of the images inside.
 */
export async function buildNodeImage(
  plan: ImagePlan,
  build: ImageBuild,
  progress: (line: string) => void,
): Promise<readonly string[]> {
  progress('importing the images of the cluster’s parts')
  const parts = partImages(await askKubeadm(plan, build), plan.csiDriver.image)
  for (const part of parts) await importPart(part, plan, build)
  await importHelper(plan, build)
  progress('building the node image’s floor')
  await buildFloor(plan, build)
  const ours = [...parts.map(({ image }) => image), HELPER_IMAGE]
  progress(`putting ${ours.length + 1} images into the node image`)
  await fill(plan, ours, build)
  return [...ours, plan.workload.image]
}

async function askKubeadm(plan: ImagePlan, { signal }: ImageBuild): Promise<string> {
  const words = ['config', 'images', 'list', '--kubernetes-version', KUBERNETES_VERSION]
  return runTool(program(plan, 'kubernetes', 'kubeadm'), words, {
    for: 'asking kubeadm for its images',
    signal,
  })
}

async function importPart(part: PartImage, plan: ImagePlan, build: ImageBuild): Promise<void> {
  const source = program(plan, part.family, part.program)
  const image = unfinishedImage(part.image)
  if (!part.withTools) return importProgram(image, source, part.program, build)
  const context = await mkdtemp(join(build.scratch, 'part-'))
  await place(source, join(context, part.program))
  const lines = [
    `FROM ${toolsImage()}`,
    'ARG BUILDER',
    `LABEL ${MADE_BY_LABEL}=\${BUILDER}`,
    `COPY ${part.program} /usr/local/bin/${part.program}`,
    `ENTRYPOINT ["/usr/local/bin/${part.program}"]`,
  ]
  await writeFile(join(context, 'Dockerfile'), lines.join('\n'))
  await buildDockerfile(image, context, {}, {}, build)
}

/** A shell from Debian's static busybox, for the pods that make and remove folders. */
async function importHelper(plan: ImagePlan, build: ImageBuild): Promise<void> {
  const tree = await mkdtemp(join(build.scratch, 'helper-'))
  const bin = join(tree, 'bin')
  await mkdir(bin)
  const words = [
    '--extract',
    '--to-stdout',
    '--file',
    rootfsPath(plan.trees.node),
    './usr/bin/busybox',
    './bin/busybox',
  ]
  await runTool(
    'sh',
    [
      '-c',
      'target=$1; shift; tar "$@" > "$target" 2>/dev/null || test -s "$target"',
      'sh',
      join(bin, 'busybox'),
      ...words,
    ],
    {
      for: 'taking busybox out of the Debian tree',
      signal: build.signal,
    },
  )
  await chmod(join(bin, 'busybox'), 0o755)
  for (const name of ['sh', 'mkdir', 'rm', 'ls', 'cat', 'chmod', 'sleep', 'test', 'true'])
    await writeFile(join(bin, name), `#!/bin/busybox sh\nexec /bin/busybox ${name} "$@"\n`, { mode: 0o755 })
  const changes = ['ENV PATH=/bin', 'ENTRYPOINT ["/bin/busybox"]']
  await importTree(unfinishedImage(HELPER_IMAGE), tree, { changes }, build)
}

async function buildFloor(plan: ImagePlan, build: ImageBuild): Promise<void> {
  const treeImage = unfinishedImage('node:tree')
  await importArchive(treeImage, rootfsPath(plan.trees.node), { changes: [] }, build)
  const context = await mkdtemp(join(build.scratch, 'floor-'))
  await cp(NODE_IMAGE_FOLDER, context, { recursive: true })
  const files = join(context, 'files')
  await cp(join(familyPath(plan, 'kind'), 'files', 'base', 'files'), files, { recursive: true })
  for (const [family, name, folder] of NODE_PROGRAMS) {
    await mkdir(join(files, folder), { recursive: true })
    await place(program(plan, family, name), join(files, folder, name))
  }
  await mkdir(join(files, 'kind', 'manifests'), { recursive: true })
  await writeFile(join(files, 'kind', 'version'), KUBERNETES_VERSION)
  const storage = await readFile(join(NODE_IMAGE_FOLDER, 'default-storage.yaml'), 'utf8')
  await writeFile(
    join(files, 'kind', 'manifests', 'default-storage.yaml'),
    storage.replaceAll('IMAGE-HELPER', HELPER_IMAGE).replaceAll('IMAGE-PROVISIONER', PROVISIONER_IMAGE),
  )
  // With the controller's image inside: whoever is given this image needs nothing else of MetalLB.
  await mkdir(join(files, dirname(METALLB_INSIDE)), { recursive: true })
  await cp(metallbManifestsPath(plan), join(files, METALLB_INSIDE))
  await buildDockerfile(floorImage(), context, { TREE: treeImage }, {}, build)
}

function floorImage(): string {
  return unfinishedImage('node:floor')
}

/**
 * Runs a container runtime in a container of the floor, imports the images and the workload image into it, and keeps the
 * result. There they get their names.
 */
async function fill(plan: ImagePlan, images: readonly string[], build: ImageBuild): Promise<void> {
  const { tools, signal, scratch } = build
  const archive = join(scratch, 'inside.tar')
  const saved = [...images.map(unfinishedImage), plan.workload.image]
  await tools.docker(['save', '--output', archive, ...saved], { for: 'saving the images', signal })
  const some = randomBytes(4).toString('hex')
  const container = unfinishedContainer(some)
  const run = { for: 'filling the node image', signal }
  const mount = bindMount(archive, '/inside.tar', 'readonly')
  const words = [
    'run',
    '--detach',
    '--privileged',
    '--name',
    container,
    '--network',
    'none',
    '--mount',
    mount,
  ]
  await tools.docker([...words, '--entrypoint', 'sleep', floorImage(), 'infinity'], run)
  try {
    await tools.docker(['exec', '--detach', container, 'containerd'], run)
    await untilContainerdAnswers(container, build)
    const ctr = ['exec', container, 'ctr', '--namespace', 'k8s.io']
    await tools.docker([...ctr, 'images', 'import', '--all-platforms', '--no-unpack', '/inside.tar'], run)
    const names = images.flatMap((image) => [unfinishedImage(image), image])
    await tools.docker(['exec', container, 'sh', '-c', RENAME, 'rename', ...names], run)
    await tools.docker(['exec', container, 'sh', '-c', 'kill $(pidof containerd)'], run)
    await tools.docker(['stop', '--time', '10', container], run)
    const changes = [
      'ENTRYPOINT ["/usr/local/bin/entrypoint", "/sbin/init"]',
      'CMD []',
      `LABEL ${INPUTS_LABEL}=${plan.node.inputs} ${ROLE_LABEL}=node`,
      `LABEL ${INSIDE_LABEL}="no-network csi=${plan.csiDriver.image} metallb workload=${plan.workload.image}"`,
    ]
    const commit = changes.flatMap((change) => ['--change', change])
    // An engine goes on with what it was asked after who asked was killed: only who is there at its end names it.
    const filled = unfinishedImage(`node:filled-${some}`)
    await tools.docker(['commit', ...commit, container, filled], run)
    await tools.docker(['tag', filled, plan.node.image], run)
  } finally {
    const end = AbortSignal.timeout(CONTAINERD_LIMIT_MS)
    await tools.docker(['rm', '--force', '--volumes', container], {
      for: 'removing a container',
      signal: end,
    })
  }
}

async function untilContainerdAnswers(container: string, { tools, signal }: ImageBuild): Promise<void> {
  const deadline = Date.now() + CONTAINERD_LIMIT_MS
  for (;;) {
    try {
      await tools.docker(['exec', container, 'ctr', 'version'], { for: 'waiting for containerd', signal })
      return
    } catch (error) {
      signal.throwIfAborted()
      if (Date.now() > deadline) throw error
      await delay(200)
    }
  }
}

function program(plan: ImagePlan, family: FamilyName, name: string): string {
  return programPath(familyPath(plan, family), name)
}

function familyPath({ families }: ImagePlan, family: FamilyName): string {
  const path = families.get(family)
  if (path === undefined) throw new Error(`no family of programs is called ${family}`)
  return path
}
