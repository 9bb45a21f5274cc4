import { chmod, cp, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { ROLE_LABEL } from '../engine-images.ts'
import { rootfsPath } from './debian.ts'
import { buildDockerfile, type ImageBuild, INPUTS_LABEL, importArchive } from './image-build.ts'
import { type ImagePlan, WORKLOAD_IMAGE_FOLDER } from './image-plan.ts'
import { nodeBinary } from './node-runtime.ts'
import { unfinishedImage } from './unfinished.ts'

/** What a part image with tools, and the workload image, begin from. */
export function toolsImage(): string {
  return unfinishedImage('tools:tree')
}

/** The Debian tree of tools as an image, for as long as others are built on it. */
export async function importTools({ trees }: ImagePlan, build: ImageBuild): Promise<void> {
  await importArchive(toolsImage(), rootfsPath(trees.tools), { changes: [] }, build)
}

/** Debian, Node and restic: what pods of the harness run. Needs the tools image. */
export async function buildWorkloadImage({ workload }: ImagePlan, build: ImageBuild): Promise<void> {
  const context = await mkdtemp(join(build.scratch, 'workload-'))
  await cp(WORKLOAD_IMAGE_FOLDER, context, { recursive: true })
  await cp(await nodeBinary(), join(context, 'node'))
  // Here, since a mode changed in the image would be a second copy in it.
  await chmod(join(context, 'node'), 0o755)
  const labels = { [INPUTS_LABEL]: workload.inputs, [ROLE_LABEL]: 'workload' }
  await buildDockerfile(workload.image, context, { TREE: toolsImage() }, labels, build)
}
