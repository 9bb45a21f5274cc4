import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { whileLocked } from '../../embedded/name-lock.mjs'
import { userCache } from '../../user-cache.ts'
import { dockerOf, type Tools } from '../tools.ts'
import { type BuildRequest, imagesLock, removeUnfinished } from './build.ts'
import { buildPrograms } from './build-programs.ts'
import { buildWorkloadImage, importTools } from './build-workload-image.ts'
import { debianTree } from './debian.ts'
import { dropGoCaches, hasGoCaches } from './go.ts'
import { type ImageBuild, importProgram, isBuilt } from './image-build.ts'
import { type ImagePlan, planImages, TREES } from './image-plan.ts'
import { CSI_DRIVER_IMAGE } from './part-images.ts'
import { programPath } from './programs.ts'

/** Those of our images that nobody publishes, in the engine. */
export interface OwnImages {
  readonly workload: string
  readonly csiDriver: string
}

/** They, where both stand; undefined where they are still to be built. */
export async function findOwnImages(
  tools: Pick<Tools, 'docker'>,
  signal: AbortSignal,
): Promise<OwnImages | undefined> {
  const plan = await planImages()
  return (await stand(plan, tools, signal)) ? ownImages(plan) : undefined
}

/** Builds what is missing of them: for clusters whose other images are pulled. Minutes where nothing was built yet. */
export async function buildOwnImages(request: BuildRequest): Promise<OwnImages> {
  const plan = await planImages()
  const waiting = (): void => request.progress('another process is building the images; waiting for it')
  await whileLocked(imagesLock(), request.signal, () => buildMissing(plan, request), waiting)
  return ownImages(plan)
}

async function buildMissing(plan: ImagePlan, request: BuildRequest): Promise<void> {
  const { engine, signal, progress, installPrograms } = request
  const tools = dockerOf(engine.environment)
  if (await stand(plan, tools, signal)) return
  const kept = await hasGoCaches()
  const built = await buildPrograms(['csi-driver'], { signal, progress })
  await debianTree(TREES.tools, { signal, progress, installPrograms })
  await mkdir(userCache('scratch'), { recursive: true })
  const scratch = await mkdtemp(join(userCache('scratch'), 'images-'))
  const build: ImageBuild = { tools, scratch, signal }
  try {
    progress('building the workload image and the CSI driver\u2019s')
    await importTools(plan, build)
    await buildWorkloadImage(plan, build)
    const driver = programPath(built.get('csi-driver') ?? '', 'poolwright-csi')
    await importProgram(CSI_DRIVER_IMAGE, driver, 'poolwright-csi', build, driverInputs(plan))
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 10 })
    await removeUnfinished(engine)
  }
  // Somebody may be in the middle of other builds.
  if (!kept) await dropGoCaches(signal)
}

async function stand(plan: ImagePlan, tools: Pick<Tools, 'docker'>, signal: AbortSignal): Promise<boolean> {
  const { image, inputs } = plan.workload
  return (
    (await isBuilt(image, inputs, { tools, signal })) &&
    (await isBuilt(CSI_DRIVER_IMAGE, driverInputs(plan), { tools, signal }))
  )
}

function driverInputs({ families }: ImagePlan): string {
  return basename(families.get('csi-driver') ?? '')
}

function ownImages({ workload }: ImagePlan): OwnImages {
  return { workload: workload.image, csiDriver: CSI_DRIVER_IMAGE }
}
