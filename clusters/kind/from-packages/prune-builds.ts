import { rm } from 'node:fs/promises'
import { userCache } from '../../user-cache.ts'
import { engineFolders } from '../engine/engine-folders.ts'
import { lookForEngine } from '../engine/find-engine.ts'
import { pruneEngine } from '../engine/prune-engine.ts'
import { dockerOf } from '../tools.ts'
import { dropGoCaches } from './go.ts'
import { INPUTS_LABEL } from './image-build.ts'
import { planImages } from './image-plan.ts'
import { prune } from './store.ts'

/** Frees the disk of what today's inputs don't use, or of all of it. Answers in words what was freed. */
export async function pruneBuilds(all: boolean, signal: AbortSignal): Promise<readonly string[]> {
  const plan = await planImages()
  const keep = all ? [] : [...plan.families.values(), ...Object.values(plan.trees)]
  const freed = await prune(keep)
  await dropGoCaches(signal)
  await rm(userCache('scratch'), { recursive: true, force: true, maxRetries: 10 })
  const lines = [`programs and trees: ${Math.round(freed / 1e6)} MB, and what Go kept`]
  const engine = await lookForEngine(signal, engineFolders())
  if ('reason' in engine) return [...lines, `images: none looked at, since ${engine.reason}`]
  const { docker } = dockerOf(engine.environment)
  const kept = new Set(all ? [] : [plan.node.image, plan.workload.image])
  const words = ['image', 'ls', '--filter', `label=${INPUTS_LABEL}`, '--format', '{{.Repository}}:{{.Tag}}']
  const images = (await docker(words, { for: 'listing built images', signal })).split('\n')
  const unwanted = images.filter((image) => image !== '' && !image.endsWith(':<none>') && !kept.has(image))
  // Not by force: an image that a cluster's nodes run from stays.
  for (const image of unwanted) {
    const removed = await docker(['image', 'rm', image], { for: `removing ${image}`, signal }).catch(
      (error: Error) => {
        signal.throwIfAborted()
        return error
      },
    )
    lines.push(removed instanceof Error ? `${image} is in use and stays` : `${image} is removed`)
  }
  return [
    ...lines,
    ...(await pruneEngine(engine, signal)).map((said) => said.trim().split('\n').at(-1) ?? ''),
  ]
}
