import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { whileLocked } from '../../this-machine/name-lock.mjs'
import { userCache } from '../../this-machine/user-cache.ts'
import { makeScratch } from './cache-folder.ts'
import { isScratch, removeAbandoned, scratchPrefix } from './scratch.ts'

/** What is to be made, known by everything that decides its content. */
export interface ArtifactKey {
  /** Lower-case letters, digits and dashes. */
  readonly name: string
  /** Other inputs, another artifact. */
  readonly inputs: Readonly<Record<string, string>>
}

export interface ArtifactRequest extends ArtifactKey {
  /** Fills an empty folder, which becomes the artifact. What it resolves with is kept in the record. */
  readonly make: (folder: string, signal: AbortSignal) => Promise<Facts>
  readonly signal: AbortSignal
  /** Called once when another process makes the same artifact and this one waits for it. */
  readonly onWait?: () => void
}

/** Whatever is worth knowing of how something was made: versions, sums, durations. Plain data. */
export type Facts = Readonly<Record<string, unknown>>

/** The record that lies in each artifact. */
export interface ArtifactRecord extends ArtifactKey {
  readonly madeAt: string
  readonly seconds: number
  readonly facts: Facts
}

export interface Artifact {
  readonly name: string
  readonly path: string
  readonly record: ArtifactRecord
}

const RECORD = 'artifact.json'
const ARTIFACT_NAME = /^([a-z0-9]+(?:-[a-z0-9]+)*)-([0-9a-f]{16})$/

/** Where all artifacts are; nothing outside is ever touched. */
export function artifactsFolder(): string {
  return userCache('artifacts')
}

/** Where this artifact is, or would be. */
export function artifactPath({ name, inputs }: ArtifactKey): string {
  const sorted = Object.entries(inputs).sort(([one], [other]) => (one < other ? -1 : 1))
  const hash = createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 16)
  const folder = `${name}-${hash}`
  if (!ARTIFACT_NAME.test(folder)) throw new Error(`"${name}" can't name an artifact`)
  return join(artifactsFolder(), folder)
}

/**
 * The path of the artifact, which is made unless it is there already. It is only ever there whole; a second process
 * waits for the first, and what a killed one left behind is swept away. Rejects with what `make` rejects with.
 */
export async function artifact(request: ArtifactRequest): Promise<string> {
  const path = artifactPath(request)
  if (await readArtifact(path)) return path
  await whileLocked(
    `artifact ${path}`,
    request.signal,
    async () => {
      if (await readArtifact(path)) return
      await removeAbandoned(artifactsFolder())
      await make(request, path)
    },
    request.onWait,
  )
  return path
}

async function make({ name, inputs, make, signal }: ArtifactRequest, path: string): Promise<void> {
  const scratch = await makeScratch(artifactsFolder(), await scratchPrefix())
  try {
    const started = performance.now()
    const facts = await make(scratch, signal)
    signal.throwIfAborted()
    const seconds = Math.round((performance.now() - started) / 100) / 10
    const record: ArtifactRecord = { name, inputs, madeAt: new Date().toISOString(), seconds, facts }
    await writeFile(join(scratch, RECORD), `${JSON.stringify(record, undefined, 2)}\n`)
    // Without a record it is no artifact: somebody removed a part of it.
    await remove(path)
    await rename(scratch, path)
  } finally {
    await remove(scratch)
  }
}

/** Undefined where there is no artifact, which is also where its record can't be read: a crash may have torn it. */
export async function readArtifact(path: string): Promise<Artifact | undefined> {
  const text = await readFile(join(path, RECORD), 'utf8').catch(() => '')
  const record = parseRecord(text)
  return record && { name: record.name, path, record }
}

function parseRecord(text: string): ArtifactRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<ArtifactRecord> | null
    return typeof record?.name === 'string' && record.inputs && record.facts
      ? (record as ArtifactRecord)
      : undefined
  } catch {
    return undefined
  }
}

/** Every artifact there is, by path. */
export async function listArtifacts(): Promise<readonly Artifact[]> {
  const names = await foldersThatAre((name) => ARTIFACT_NAME.test(name))
  const artifacts = await Promise.all(names.map((name) => readArtifact(join(artifactsFolder(), name))))
  return artifacts.filter((found) => found !== undefined)
}

/** Removes all artifacts but these paths, and what killed processes left. Resolves with the bytes that this freed. */
export async function prune(keep: readonly string[]): Promise<number> {
  const kept = new Set(keep.map((path) => basename(path)))
  const unwanted = await foldersThatAre((name) => ARTIFACT_NAME.test(name) && !kept.has(name))
  let freed = 0
  for (const name of unwanted) {
    const path = join(artifactsFolder(), name)
    freed += await size(path)
    // Out of sight first: an artifact is there whole or not at all.
    const scratch = await makeScratch(artifactsFolder(), await scratchPrefix())
    await rename(path, join(scratch, name))
    await remove(scratch)
  }
  return freed + (await removeAbandoned(artifactsFolder(), size))
}

/** Bytes that a folder or file holds. */
export async function size(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

async function foldersThatAre(wanted: (name: string) => boolean): Promise<readonly string[]> {
  const entries = await readdir(artifactsFolder(), { withFileTypes: true }).catch(() => [])
  // A link leads elsewhere, and elsewhere isn't ours.
  return entries
    .filter((entry) => entry.isDirectory() && !isScratch(entry.name) && wanted(entry.name))
    .map(({ name }) => name)
    .sort()
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 10 })
}
