import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where a run's processes make their temporary files, so that what they leave can be named. */
export interface ScratchFolder {
  readonly path: string
  /** What is still in it. */
  leftovers(): Promise<readonly string[]>
  [Symbol.asyncDispose](): Promise<void>
}

export async function makeScratchFolder(): Promise<ScratchFolder> {
  const path = await mkdtemp(join(tmpdir(), 'poolwright-run-'))
  return {
    path,
    leftovers: async () => (await readdir(path)).map((name) => join(path, name)),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
