import { type BuildRequest, buildFamily } from '../kind/from-packages/build-family.ts'
import { dropGoCaches, hasGoCaches } from '../kind/from-packages/go.ts'
import { family, programPath } from '../kind/from-packages/programs.ts'

/** Milliseconds to wait for Go's caches: whoever holds them longer is using them and drops them. */
const DROP_LIMIT_MS = 2_000

/**
 * Builds kubectl into the user's cache unless it is there already, and answers its path. Downloads and compiled packages
 * go again, but for those that were there before. Throws UsageError without Go.
 */
export async function buildKubectl(request: BuildRequest): Promise<string> {
  const hadCaches = await hasGoCaches()
  try {
    return programPath(await buildFamily(family('kubectl'), request), 'kubectl')
  } finally {
    if (!hadCaches) await dropGoCaches(AbortSignal.timeout(DROP_LIMIT_MS)).catch(() => undefined)
  }
}
