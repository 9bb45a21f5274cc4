import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../src/contract/errors.ts'
import type { Tools } from './tools.ts'

type Docker = Pick<Tools, 'docker'>

/** Of the images we build: what they are for. */
export const ROLE_LABEL = 'poolwright.dev/image-role'
/** Of a node image: what it has inside, separated by blanks: `csi`, `metallb`, `workload=TAG`; `no-network` where it has no pod network. */
export const INSIDE_LABEL = 'poolwright.dev/inside'

/** The labels of an image that the engine has; undefined where it has none of that name. */
export async function imageLabels(
  image: string,
  { docker }: Docker,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> {
  const words = ['image', 'inspect', '--format', '{{json .Config.Labels}}', image]
  try {
    return (JSON.parse(await docker(words, { for: `looking at image ${image}`, signal })) as Labels) ?? {}
  } catch (error) {
    signal.throwIfAborted()
    if (/no such image/i.test((error as Error).message)) return undefined
    throw error
  }
}

type Labels = Record<string, string> | null

/** Pulls an image; one that is pinned by digest gets its tag as well, by which pods name it. */
export async function pullImage(image: string, { docker }: Docker, signal: AbortSignal): Promise<void> {
  const run = { for: `pulling ${image}`, signal }
  await docker(['pull', '--quiet', image], run)
  if (image !== tagOf(image)) await docker(['tag', image, tagOf(image)], run)
}

/** An image's name and tag, without its digest. */
export function tagOf(image: string): string {
  return image.replace(/@.*$/s, '')
}

/** Loads every image archive of a folder and answers the images' names. Throws UsageError where there is none. */
export async function loadArchives(
  folder: string,
  { docker }: Docker,
  signal: AbortSignal,
): Promise<string[]> {
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`The folder of image archives ${folder} can't be read (${cause.code})`, { cause })
  })
  const archives = names.filter((name) => /\.(tar|tar\.gz|tgz)$/.test(name)).toSorted()
  if (archives.length === 0)
    throw new UsageError(
      `The folder ${folder} has no image archive: expected files that end with .tar, .tar.gz or .tgz`,
    )
  const loaded: string[] = []
  for (const name of archives) {
    const said = await docker(['load', '--input', join(folder, name)], { for: `loading ${name}`, signal })
    loaded.push(...[...said.matchAll(/^Loaded image: (\S+)$/gm)].map(([, image = '']) => image))
  }
  return loaded
}
