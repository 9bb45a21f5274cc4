import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { UsageError } from '../../../src/contract/errors.ts'

const LOCK_FILE = new URL('../../../package-lock.json', import.meta.url)

/** The Node of the workload image, which is among our own optional dependencies. */
export interface NodeRuntime {
  readonly version: string
  readonly integrity: string
}

/** As the lock file pins it, whether it is installed or not. */
export async function pinnedNode(): Promise<NodeRuntime> {
  const { packages } = JSON.parse(await readFile(LOCK_FILE, 'utf8')) as LockFile
  const pinned = packages[`node_modules/${packageName()}`]
  return { version: pinned?.version ?? 'none', integrity: pinned?.integrity ?? '' }
}

/** Path of its program. Throws UsageError where it isn't installed as pinned. */
export async function nodeBinary(): Promise<string> {
  const { version } = await pinnedNode()
  const manifest = installed()
  const found =
    manifest && (JSON.parse(await readFile(manifest, 'utf8')) as { readonly version: string }).version
  if (manifest && found === version) return join(dirname(manifest), 'bin', 'node')
  throw new UsageError(
    `the workload image takes Node from the optional dependency ${packageName()} ${version}, ${found ? `and ${found} is installed` : 'which is not installed'}: npm ci --include=optional`,
  )
}

function packageName(): string {
  return `node-linux-${process.arch}`
}

/** Path of the package's own description. */
function installed(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(`${packageName()}/package.json`)
  } catch {
    return undefined
  }
}

interface LockFile {
  readonly packages: Readonly<Record<string, Partial<NodeRuntime>>>
}
