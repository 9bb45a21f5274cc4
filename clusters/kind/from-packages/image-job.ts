import { rm } from 'node:fs/promises'
import type { UpRequest } from '../../provider.ts'
import { whileLocked } from '../../this-machine/name-lock.mjs'
import { userCache } from '../../this-machine/user-cache.ts'
import type { Engine } from '../engine/engine.ts'
import { dockerOf, type Tools } from '../tools.ts'
import { buildPrograms, missingFamilies } from './build-programs.ts'
import { makeScratch } from './cache-folder.ts'
import { debianKey, debianTree } from './debian.ts'
import { type ImageBuild, isBuilt } from './image-build.ts'
import { type ImagePlan, type PlannedImage, TREES } from './image-plan.ts'
import type { FamilyName } from './programs.ts'
import { requireBuildMachine } from './requirements.ts'
import { artifactPath, readArtifact } from './store.ts'
import { removeUnfinished, SCRATCH_PREFIX, scratchFolder } from './unfinished.ts'

export interface BuildRequest {
  readonly engine: Engine
  readonly signal: AbortSignal
  readonly progress: (line: string) => void
  readonly installPrograms: UpRequest['installPrograms']
  /** Whether this process may make device files and change owners. Default: what it is. */
  readonly root?: boolean
}

/** Some images of a plan, and how they are made. */
export interface ImageJob {
  readonly images: readonly ('workload' | 'csiDriver' | 'node')[]
  /** What they are made of. */
  readonly programs: readonly FamilyName[]
  readonly trees: readonly (keyof typeof TREES)[]
  /** Programs that have to be there although the images stand. */
  readonly besides: readonly FamilyName[]
  /** Makes those of the images that are missing. */
  readonly make: (missing: readonly PlannedImage[], build: ImageBuild) => Promise<void>
}

/** Images are built by one process at a time. */
export function imagesLock(): string {
  return `images ${userCache()}`
}

/**
 * Makes what is missing of a job's programs and images, and sweeps up what an interrupted one left. What is half made
 * never has a final name: the same call goes on from what stands. Answers whether anything had to be made.
 */
export function runImageJob(job: ImageJob, plan: ImagePlan, request: BuildRequest): Promise<boolean> {
  const { engine, signal, progress } = request
  const work = async (): Promise<boolean> => {
    if (await removeUnfinished(engine)) progress('removed what an interrupted build had left')
    const tools = dockerOf(engine.environment)
    const missing = await missingImages(job, plan, { tools, signal })
    const building = missing.length > 0
    const wanted = building ? [...job.besides, ...job.programs] : job.besides
    const programs = await missingFamilies(wanted)
    const trees = building ? await missingTrees(job.trees) : []
    const nodeImage = missing.includes(plan.node)
    const images = missing.length - (nodeImage ? 1 : 0)
    await requireBuildMachine({ programs, trees: trees.length, images, nodeImage }, engine, request)
    await buildPrograms(wanted, { signal, progress })
    for (const tree of trees) await debianTree(TREES[tree], request)
    if (building) await inScratch(engine, (scratch) => job.make(missing, { tools, scratch, signal }))
    return building || programs.length > 0
  }
  return whileLocked(imagesLock(), signal, work, () =>
    progress('another process is building the images; waiting for it'),
  )
}

/** Those of a job's images that the engine doesn't have as planned. */
export async function missingImages(
  { images }: Pick<ImageJob, 'images'>,
  plan: ImagePlan,
  { tools, signal }: { readonly tools: Pick<Tools, 'docker'>; readonly signal: AbortSignal },
): Promise<readonly PlannedImage[]> {
  const planned = images.map((name) => plan[name])
  const there = await Promise.all(
    planned.map(({ image, inputs }) => isBuilt(image, inputs, { tools, signal })),
  )
  return planned.filter((_, index) => !there[index])
}

async function missingTrees(
  names: readonly (keyof typeof TREES)[],
): Promise<readonly (keyof typeof TREES)[]> {
  const there = await Promise.all(names.map((name) => readArtifact(artifactPath(debianKey(TREES[name])))))
  return names.filter((_, index) => there[index] === undefined)
}

async function inScratch(engine: Engine, work: (scratch: string) => Promise<void>): Promise<void> {
  const scratch = await makeScratch(scratchFolder(), SCRATCH_PREFIX)
  try {
    await work(scratch)
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 10 })
    await removeUnfinished(engine)
  }
}
