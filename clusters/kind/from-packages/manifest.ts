import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { userCache } from '../../this-machine/user-cache.ts'
import type { ImagePlan } from './image-plan.ts'
import { readArtifact } from './store.ts'

/** Where the last build says what its images were made of. */
function manifestPath(): string {
  return userCache('images.json')
}

/** Says of each image what it was made of: modules with versions and sums, Debian packages with versions. */
export async function writeManifest(plan: ImagePlan, inside: readonly string[]): Promise<void> {
  const programs = await Promise.all(
    [...plan.families].map(async ([name, path]) => [name, await facts(path)]),
  )
  const trees = await Promise.all(
    Object.entries(plan.trees).map(async ([name, path]) => [name, await facts(path)]),
  )
  const manifest = {
    madeAt: new Date().toISOString(),
    node: { ...plan.node, inside },
    workload: plan.workload,
    programs: Object.fromEntries(programs),
    debian: Object.fromEntries(trees),
  }
  await mkdir(dirname(manifestPath()), { recursive: true })
  await writeFile(manifestPath(), `${JSON.stringify(manifest, undefined, 2)}\n`)
}

async function facts(path: string): Promise<object> {
  const found = await readArtifact(path)
  return found ? { ...found.record.facts, seconds: found.record.seconds } : {}
}
