import { ApiFailure } from '../api/api-failure.ts'
import type { JsonPatchOperation } from '../api/kubernetes-api.ts'
import { configMaps } from '../api/resource-path.ts'
import type { ConfigMap } from '../contract/kubernetes.ts'
import type { LockStrategy } from '../contract/pool.ts'
import type { Change } from './change.ts'
import type { PoolContext } from './pool.ts'
import type { PoolView } from './pool-view.ts'

/** How a write makes sure that it rests on what was decided. Both leave every other key of the ConfigMap alone. */
export interface WriteStrategy {
  readonly name: LockStrategy
  /** Throws a conflict when something it rests on has changed. */
  write(context: PoolContext, view: PoolView, change: Change, signal: AbortSignal): Promise<Written>
}

export interface Written {
  readonly resourceVersion: string
  /**
   * The whole result, where another writer's change may have slipped in between read and write: what the decision
   * excluded must be looked for in it before it counts.
   */
  readonly result?: ConfigMap
}

/** A merge patch that the API server takes only for the very version, and the very ConfigMap, that was read. */
const byResourceVersion: WriteStrategy = {
  name: 'resource-version',
  async write({ api, namespace, configMap }, view, change, signal) {
    const patch = {
      metadata: { uid: view.uid, resourceVersion: view.resourceVersion },
      data: { [change.address]: change.newText ?? null },
    }
    const answer = await api.mergePatch<ConfigMap>(configMaps(namespace), configMap, patch, {
      signal,
      metadataOnly: true,
    })
    return { resourceVersion: answer.metadata?.resourceVersion ?? '' }
  },
}

/** A JSON patch that tests the ConfigMap's uid, the entry's text and the texts of the other entries that matter to it. */
const byEntry: WriteStrategy = {
  name: 'entry',
  async write({ api, namespace, configMap }, view, change, signal) {
    const patch = testsOf(view, change)
    const path = pointer(change.address)
    patch.push(
      change.newText === undefined ? { op: 'remove', path } : { op: 'replace', path, value: change.newText },
    )
    try {
      const result = await api.jsonPatch<ConfigMap>(configMaps(namespace), configMap, patch, {
        signal,
        metadataOnly: !change.excludes,
      })
      return { resourceVersion: result.metadata?.resourceVersion ?? '', ...(change.excludes && { result }) }
    } catch (error) {
      throw isFailedTest(error) ? asConflict(error) : error
    }
  },
}

const STRATEGIES: Readonly<Record<LockStrategy, WriteStrategy>> = {
  'resource-version': byResourceVersion,
  entry: byEntry,
}

export const LOCK_STRATEGIES = Object.keys(STRATEGIES)

/** The strategy for a change: a JSON patch cannot test that a key is absent, so new keys go by the version. */
export function strategyFor(asked: LockStrategy | undefined, change: Change): WriteStrategy {
  return change.oldText === undefined ? byResourceVersion : STRATEGIES[asked ?? 'resource-version']
}

function testsOf(view: PoolView, change: Change): JsonPatchOperation[] {
  const guarded = [change.address, ...(change.excludes ?? []), ...(change.restsOn ?? [])]
  return [
    { op: 'test', path: '/metadata/uid', value: view.uid },
    ...guarded.map((address) => ({
      op: 'test' as const,
      path: pointer(address),
      value: view.textOf(address),
    })),
  ]
}

/** Keys hold neither `/` nor `~`, so a JSON pointer needs no escapes. */
function pointer(address: string): string {
  return `/data/${address}`
}

/** A test that fails is answered 422 Invalid without any cause; an object that may not be like this names its fields. */
function isFailedTest(error: unknown): error is ApiFailure {
  return (
    error instanceof ApiFailure && error.code === 422 && (error.status?.details?.causes ?? []).length === 0
  )
}

function asConflict(failure: ApiFailure): ApiFailure {
  return new ApiFailure('conflict', `${failure.message} (an entry tested by the patch has changed)`, {
    code: 422,
    cause: failure,
  })
}
