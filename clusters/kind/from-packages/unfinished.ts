import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { userCache } from '../../this-machine/user-cache.ts'
import type { Engine } from '../engine/engine.ts'
import { pruneEngine } from '../engine/prune-engine.ts'
import { ToolError } from '../run-tool.ts'
import { dockerOf } from '../tools.ts'

/** On each image that a build made: which builder it was. Images without a name are removed by it. */
export const MADE_BY_LABEL = 'poolwright.dev/made-by'
const REPOSITORIES = 'poolwright.dev/building-'
// By name: what a container has for labels its image gets, and with it every node made from that.
const CONTAINERS = 'poolwright-filling-'
const SCRATCH_NAME = /^images-/
/** Milliseconds; it is done even when the build was interrupted. */
const TIDYING_LIMIT_MS = 60_000

/** Digits for this user's cache on this machine: of its builds one runs at a time, whoever else shares the engine. */
export function builder(): string {
  const known = `${hostname()} ${process.getuid?.()} ${userCache()}`
  return createHash('sha256').update(known).digest('hex').slice(0, 12)
}

/**
 * The name that an image has for as long as the build takes, after the one it is made for: no engine ever has ours under
 * the name of somebody else's image.
 */
export function unfinishedImage(image: string): string {
  return `${REPOSITORIES}${builder()}/${image}`
}

/** A name for a container in which a build is at work. */
export function unfinishedContainer(some: string): string {
  return `${CONTAINERS}${builder()}-${some}`
}

/** The folder for what is on its way into the engine. */
export function scratchFolder(): string {
  return userCache('scratch')
}

/** How the folder of one build begins. */
export const SCRATCH_PREFIX = 'images-'

/**
 * Removes what this builder's builds left: containers, images, files. Needs the lock of the images, with which none of
 * them is at work. Answers whether anything was left.
 */
export async function removeUnfinished(engine: Engine): Promise<boolean> {
  const signal = AbortSignal.timeout(TIDYING_LIMIT_MS)
  const { docker } = dockerOf(engine.environment)
  const run = { for: 'removing what a build left', signal }
  const all = lines(await docker(['ps', '--all', '--format', '{{.Names}}'], run))
  const containers = all.filter((name) => name.startsWith(`${CONTAINERS}${builder()}-`))
  if (containers.length > 0)
    await docker(['rm', '--force', '--volumes', ...containers], run).catch(unlessGone)
  const names = lines(await docker(['image', 'ls', '--format', '{{.Repository}}:{{.Tag}}'], run))
  const images = names.filter((name) => name.startsWith(`${REPOSITORIES}${builder()}/`))
  if (images.length > 0) await docker(['image', 'rm', '--force', ...images], run).catch(unlessGone)
  const files = (await readdir(scratchFolder()).catch(() => [])).filter((name) => SCRATCH_NAME.test(name))
  for (const name of files)
    await rm(join(scratchFolder(), name), { recursive: true, force: true, maxRetries: 10 })
  const left = containers.length + images.length + files.length > 0
  if (left) await removeUnnamed(engine, signal).catch(unlessGone)
  return left
}

/** Layers of images that were never finished, or were made anew. */
export async function removeUnnamed(engine: Engine, signal: AbortSignal): Promise<readonly string[]> {
  const { docker } = dockerOf(engine.environment)
  const words = ['image', 'prune', '--force', '--filter', `label=${MADE_BY_LABEL}=${builder()}`]
  const own = await docker(words, { for: 'removing images without a name', signal })
  return [own, ...(await pruneEngine(engine, signal))]
}

/** The engine may be in the middle of removing it by itself, or of pruning for somebody else. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ToolError) || !/no such|already (in progress|running)/i.test(error.message))
    throw error
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter(Boolean)
}
