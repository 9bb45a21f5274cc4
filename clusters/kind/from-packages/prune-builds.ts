import { rm } from 'node:fs/promises'
import { whileLocked } from '../../this-machine/name-lock.mjs'
import type { Engine } from '../engine/engine.ts'
import { engineFolders } from '../engine/engine-folders.ts'
import { lookForEngine } from '../engine/find-engine.ts'
import { dockerOf } from '../tools.ts'
import { dropGoCaches } from './go.ts'
import { INPUTS_LABEL } from './image-build.ts'
import { imagesLock } from './image-job.ts'
import { type ImagePlan, planImages } from './image-plan.ts'
import { prune } from './store.ts'
import { builder, MADE_BY_LABEL, removeUnfinished, removeUnnamed, scratchFolder } from './unfinished.ts'

export interface PruneRequest {
  /** Also what today's inputs use. */
  readonly all: boolean
  readonly signal: AbortSignal
  /** One line per thing done, for people. */
  readonly progress: (line: string) => void
}

/** Frees the disk of what today's inputs don't use, or of all of it, while no build is at work. */
export async function pruneBuilds(request: PruneRequest): Promise<void> {
  const { signal, progress } = request
  await whileLocked(
    imagesLock(),
    signal,
    () => pruneUnused(request),
    () => progress('another process is building the images; waiting for it'),
  )
}

async function pruneUnused({ all, signal, progress }: PruneRequest): Promise<void> {
  const plan = await planImages()
  const freed = await prune(all ? [] : [...plan.families.values(), ...Object.values(plan.trees)])
  await dropGoCaches(signal, () => progress('another process is running Go; its caches are removed after it'))
  await rm(scratchFolder(), { recursive: true, force: true, maxRetries: 10 })
  progress(`programs and trees: ${Math.round(freed / 1e6)} MB, and what Go kept`)
  const engine = await lookForEngine(signal, engineFolders())
  if ('reason' in engine) return progress(`images: none looked at, since ${engine.reason}`)
  await removeUnfinished(engine)
  await pruneImages(engine, all ? [] : keptImages(plan), signal, progress)
  for (const said of await removeUnnamed(engine, signal)) progress(said.trim().split('\n').at(-1) ?? '')
}

function keptImages({ node, workload, csiDriver }: ImagePlan): readonly string[] {
  return [node.image, workload.image, csiDriver.image]
}

async function pruneImages(
  engine: Engine,
  kept: readonly string[],
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<void> {
  const { docker } = dockerOf(engine.environment)
  // On an engine of everybody's others have theirs.
  const label = engine.ours ? INPUTS_LABEL : `${MADE_BY_LABEL}=${builder()}`
  const words = ['image', 'ls', '--filter', `label=${label}`, '--format', '{{.Repository}}:{{.Tag}}']
  const images = (await docker(words, { for: 'listing built images', signal })).split('\n').filter(Boolean)
  for (const image of images.filter((name) => !name.endsWith(':<none>') && !kept.includes(name))) {
    // Not by force: an image that a cluster's nodes run from stays.
    await docker(['image', 'rm', image], { for: `removing ${image}`, signal }).then(
      () => progress(`${image} is removed`),
      (error: Error) => {
        signal.throwIfAborted()
        progress(whyItStays(image, error))
      },
    )
  }
}

function whyItStays(image: string, { message }: Error): string {
  if (/is using|being used|in use/i.test(message)) return `${image} is in use and stays`
  if (/no such image/i.test(message)) return `${image} is removed`
  return `${image} can't be removed: ${message.split('\n').at(-1)?.trim()}`
}
