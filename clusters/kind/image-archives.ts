import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../../src/contract/errors.ts'
import { userCache } from '../this-machine/user-cache.ts'
import { imageId } from './engine-images.ts'
import type { Tools } from './tools.ts'

type Docker = Pick<Tools, 'docker'>

/** What was loaded from a folder, so that it is known again without loading it. */
interface LoadRecord {
  /** Of each archive what tells that it is another one: name, bytes, milliseconds. */
  readonly archives: readonly (readonly [string, number, number])[]
  /** Name and ID of each image. */
  readonly images: readonly (readonly [string, string])[]
}

/**
 * Names of the images in the archives of a folder, loaded unless the engine has them as they were loaded before. Throws
 * UsageError where there is no archive.
 */
export async function loadArchives(folder: string, docker: Docker, signal: AbortSignal): Promise<string[]> {
  const archives = await listArchives(folder)
  if (archives.length === 0)
    throw new UsageError(
      `The folder ${folder} has no image archive: expected files that end with .tar, .tar.gz or .tgz`,
    )
  const known = await loadedBefore(folder, docker, signal)
  if (known) return known
  const loaded: string[] = []
  for (const [name] of archives) {
    const said = await docker.docker(['load', '--input', join(folder, name)], {
      for: `loading ${name}`,
      signal,
    })
    loaded.push(...[...said.matchAll(/^Loaded image: (\S+)$/gm)].map(([, image = '']) => image))
  }
  await writeRecord(folder, { archives, images: await withIds(loaded, docker, signal) })
  return loaded
}

/** The same where nothing of it has to be loaded; undefined otherwise. */
export async function loadedBefore(
  folder: string,
  docker: Docker,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const record = await readRecord(folder)
  if (!record) return undefined
  const names = record.images.map(([image]) => image)
  const now: LoadRecord = {
    archives: await listArchives(folder),
    images: await withIds(names, docker, signal),
  }
  return JSON.stringify(now) === JSON.stringify(record) ? names : undefined
}

async function listArchives(folder: string): Promise<LoadRecord['archives']> {
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`The folder of image archives ${folder} can't be read (${cause.code})`, { cause })
  })
  const archives = names.filter((name) => /\.(tar|tar\.gz|tgz)$/.test(name)).toSorted()
  return Promise.all(
    archives.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name))
      return [name, size, mtimeMs] as const
    }),
  )
}

async function withIds(
  images: readonly string[],
  docker: Docker,
  signal: AbortSignal,
): Promise<LoadRecord['images']> {
  return Promise.all(
    images.map(async (image) => [image, (await imageId(image, docker, signal)) ?? ''] as const),
  )
}

function recordPath(folder: string): string {
  const name = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16)
  return userCache('loaded-images', `${name}.json`)
}

/** Undefined where there is none that can be read. */
async function readRecord(folder: string): Promise<LoadRecord | undefined> {
  try {
    return JSON.parse(await readFile(recordPath(folder), 'utf8')) as LoadRecord
  } catch {
    return undefined
  }
}

/** Without a record the archives are loaded again, no more. */
async function writeRecord(folder: string, record: LoadRecord): Promise<void> {
  const path = recordPath(folder)
  await mkdir(dirname(path), { recursive: true }).then(
    () => writeFile(path, JSON.stringify(record)),
    () => undefined,
  )
}
