import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { whileLocked } from '../../embedded/name-lock.mjs'
import type { UpRequest } from '../../provider.ts'
import { userCache } from '../../user-cache.ts'
import type { Engine } from '../engine/engine.ts'
import { pruneEngine } from '../engine/prune-engine.ts'
import { dockerOf } from '../tools.ts'
import { buildNodeImage } from './build-node-image.ts'
import { buildPrograms } from './build-programs.ts'
import { buildWorkloadImage, importTools } from './build-workload-image.ts'
import { type BuiltImages, imagesOf } from './built-images.ts'
import { debianTree } from './debian.ts'
import { dropGoCaches } from './go.ts'
import { BUILDING_TAG, type ImageBuild, isBuilt } from './image-build.ts'
import { type ImagePlan, planImages, TREES } from './image-plan.ts'
import { writeManifest } from './manifest.ts'
import { requireRoom } from './room.ts'

/** Milliseconds; it is done even when the build was interrupted. */
const TIDYING_LIMIT_MS = 60_000

export interface BuildRequest {
  readonly engine: Engine
  readonly signal: AbortSignal
  readonly progress: (line: string) => void
  readonly installPrograms: UpRequest['installPrograms']
}

/**
 * Builds what is missing of the programs and images of a cluster, one process at a time. What is half made never has a
 * final name: the same call goes on from what stands.
 */
export async function buildImages(request: BuildRequest): Promise<BuiltImages> {
  const plan = await planImages()
  const waiting = (): void => request.progress('another process is building the images; waiting for it')
  await whileLocked(imagesLock(), request.signal, () => buildMissing(plan, request), waiting)
  return imagesOf(plan)
}

/** Images are built by one process at a time. */
export function imagesLock(): string {
  return `images ${userCache()}`
}

async function buildMissing(plan: ImagePlan, request: BuildRequest): Promise<void> {
  const { engine, signal, progress, installPrograms } = request
  const tools = dockerOf(engine.environment)
  const has = ({ image, inputs }: ImagePlan['node']): Promise<boolean> =>
    isBuilt(image, inputs, { tools, signal })
  if ((await has(plan.node)) && (await has(plan.workload))) return
  await requireRoom(engine)
  await buildPrograms([...plan.families.keys()], { signal, progress })
  for (const tree of Object.values(TREES)) await debianTree(tree, { signal, progress, installPrograms })
  await mkdir(userCache('scratch'), { recursive: true })
  const scratch = await mkdtemp(join(userCache('scratch'), 'images-'))
  const build: ImageBuild = { tools, scratch, signal }
  try {
    await importTools(plan, build)
    if (!(await has(plan.workload))) {
      progress('building the workload image')
      await buildWorkloadImage(plan, build)
    }
    const inside = await buildNodeImage(plan, build, progress)
    await writeManifest(plan, inside)
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 10 })
    await removeUnfinished(engine)
  }
  progress('dropping what only the build needed')
  await dropGoCaches(signal)
}

/** What only other images were built on, and what an interrupted build left without a name. */
export async function removeUnfinished(engine: Engine): Promise<void> {
  const signal = AbortSignal.timeout(TIDYING_LIMIT_MS)
  const { docker } = dockerOf(engine.environment)
  const run = { for: 'removing images of the build', signal }
  const said = await docker(['image', 'ls', '--format', '{{.Repository}}:{{.Tag}}'], run)
  const unfinished = said.split('\n').filter((image) => image.endsWith(`:${BUILDING_TAG}`))
  if (unfinished.length > 0) await docker(['image', 'rm', '--force', ...unfinished], run)
  await pruneEngine(engine, signal)
}
