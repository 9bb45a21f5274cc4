import type { KubernetesObject, ObjectMeta } from '../../src/contract/kubernetes.ts'
import { RUN_LABEL, SCENARIO_LABEL, TEST_POOL_LABEL } from '../../src/contract/names.ts'
import { isClusterScopedPath } from './entry.ts'
import { keysOf, leavesOf } from './fields.ts'

/** A scenario asked for a change that no scenario may make. */
export class NotAllowedError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotAllowedError'
  }
}

/** Only what an administrator marked, or the run itself made, is changed. Throws NotAllowedError. */
export function assertOurs({ kind, metadata }: KubernetesObject, run: string): void {
  if (isMarked(metadata) || metadata?.labels?.[RUN_LABEL] === run) return
  throw new NotAllowedError(
    `${kind} ${metadata?.name} is not for tests: it has no label ${TEST_POOL_LABEL}, and this run did not make it`,
  )
}

/** Whether an administrator gave it over to tests. */
export function isMarked(metadata: ObjectMeta | undefined): boolean {
  return metadata?.labels?.[TEST_POOL_LABEL] !== undefined
}

/** Labels by which we know what is ours: no scenario may give or take them. */
const OUR_MARKS: readonly string[] = [TEST_POOL_LABEL, RUN_LABEL, SCENARIO_LABEL]

/** Throws NotAllowedError for a path that is not of a cluster-scoped object. */
export function assertClusterScoped(path: string): void {
  if (!isClusterScopedPath(path))
    throw new NotAllowedError(`${path} is not the path of a cluster-scoped object`)
}

/** Labels, annotations and spec may be changed, and whatever else is a field of its own. Throws NotAllowedError. */
export function assertFieldsAllowed(patch: Record<string, unknown>): void {
  for (const { pointer } of leavesOf(patch)) {
    const [top = '', second = '', third = ''] = keysOf(pointer)
    const isMetadata = top === 'metadata' && (!['labels', 'annotations'].includes(second) || third === '')
    if (isMetadata || ['status', 'apiVersion', 'kind'].includes(top))
      throw new NotAllowedError(`${pointer} is not a scenario’s to change`)
    if (top === 'spec' && second === 'taints')
      throw new NotAllowedError('taints are one list that is shared with others: use taint and untaint')
    if (top === 'metadata' && OUR_MARKS.includes(third))
      throw new NotAllowedError(`label ${third} says what is ours: no scenario may give or take it`)
  }
}
