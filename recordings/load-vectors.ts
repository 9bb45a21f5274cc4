import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../src/contract/errors.ts'
import { parseExact } from './exact-json.ts'
import type { Vector } from './vector.ts'

/** One file of a family: `api/crud.json`. */
export interface Category {
  readonly family: string
  readonly category: string
  readonly vectors: readonly Vector[]
}

/** Reads a folder of the layout `FAMILY/CATEGORY.json`, in alphabetical order. Throws UsageError where it isn't one. */
export async function loadVectors(
  folder: string,
  only: { family?: string | undefined; category?: string | undefined } = {},
): Promise<Category[]> {
  const found: Category[] = []
  for (const family of await families(folder)) {
    if (only.family !== undefined && family !== only.family) continue
    for (const file of (await readdir(join(folder, family))).sort()) {
      const category = file.replace(/\.json$/, '')
      if (category === file || (only.category !== undefined && category !== only.category)) continue
      found.push({ family, category, vectors: await readCategory(join(folder, family, file)) })
    }
  }
  if (found.length > 0) return found
  throw new UsageError(`no recordings in ${folder} match ${only.family ?? '*'}/${only.category ?? '*'}`)
}

async function families(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()
  } catch (cause) {
    throw new UsageError(`the folder of recordings ${folder} can't be read`, { cause })
  }
}

async function readCategory(file: string): Promise<readonly Vector[]> {
  try {
    const content = parseExact(await readFile(file, 'utf8'))
    if (!Array.isArray(content)) throw new Error('it is not an array of vectors')
    return content as unknown as Vector[]
  } catch (cause) {
    throw new UsageError(`${file} is not a category of recordings: ${(cause as Error).message}`, { cause })
  }
}
