import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { STAND_IN_LABEL } from '../../src/contract/names.ts'
import { isAlreadyExists, isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { objectPath } from '../../src/kube/paths.ts'

/** Which stand-in an object belongs to; the value of STAND_IN_LABEL. */
export type StandIn = 'windows-operator' | 'machine-controller'

/** The label that every object of a stand-in carries, so that nobody takes it for the real thing. */
export function standInLabels(standIn: StandIn): Record<string, string> {
  return { [STAND_IN_LABEL]: standIn }
}

/** Whether this stand-in made the object; what others made is left alone. */
export function isOf(standIn: StandIn, object: KubernetesObject): boolean {
  return object.metadata?.labels?.[STAND_IN_LABEL] === standIn
}

/** Creates an object unless there is one of its name, whoever made that. */
export async function ensure(
  client: KubeClient,
  collection: string,
  object: KubernetesObject,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.create(collection, object, signal)
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

/**
 * As `ensure`, but looks first: where whoever installed the stand-in has made the object, no right to create one is
 * needed. RBAC can't give that for one name alone.
 */
export async function ensureInstalled(
  client: KubeClient,
  collection: string,
  object: KubernetesObject,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.get(objectPath(collection, object.metadata?.name ?? ''), signal)
  } catch (error) {
    if (!isNotFound(error)) throw error
    await ensure(client, collection, object, signal)
  }
}
