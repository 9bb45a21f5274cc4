import { ApiFailure } from '../api/api-failure.ts'
import type { Resource } from '../api/kubernetes-api.ts'
import { PoolwrightError } from '../contract/errors.ts'
import type { Options } from '../contract/implementation.ts'
import type { KubernetesObject, ObjectMeta } from '../contract/kubernetes.ts'
import {
  FALLBACK_TEST_ID_ANNOTATION,
  MACHINE_API_GROUP,
  MACHINE_API_NAMESPACE,
  MACHINE_API_VERSION,
} from '../contract/names.ts'
import type { PoolContext } from './pool.ts'
import { retry } from './retry.ts'
import { checkPolicy } from './retry-policy.ts'

/** What setBYOH looks at of a MachineSet, machine.openshift.io/v1beta1. */
export interface MachineSet extends KubernetesObject {
  spec?: {
    selector?: { matchLabels?: Record<string, string> }
    template?: { metadata?: ObjectMeta; spec?: Record<string, unknown> }
  }
}

/** What it looks at of a Machine. */
export interface Machine extends KubernetesObject {
  status?: {
    phase?: string
    errorReason?: string
    errorMessage?: string
    addresses?: { type: string; address: string }[]
    nodeRef?: { name?: string }
  }
}

export const MACHINE_SETS = resource('machinesets')
export const MACHINES = resource('machines')

/** All of a collection. Where the Machine API is not served there is nothing of it. */
export async function listMachineApi<T extends KubernetesObject>(
  context: PoolContext,
  collection: Resource,
  options: Options,
): Promise<readonly T[]> {
  return callMachineApi(context, options, async (signal) => {
    try {
      return await context.api.list<T>(collection, { signal })
    } catch (error) {
      if (error instanceof ApiFailure && error.kind === 'missing') return []
      throw error
    }
  })
}

/** One that is gone already is as good as removed; another object of the same name is left alone. */
export async function removeFromMachineApi(
  context: PoolContext,
  collection: Resource,
  metadata: ObjectMeta | undefined,
  options: Options,
): Promise<void> {
  await callMachineApi(context, options, async (signal) => {
    const uid = metadata?.uid
    try {
      await context.api.delete(collection, metadata?.name ?? '', { signal, ...(uid && { uid }) })
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.kind !== 'missing') throw error
    }
  })
}

/** Calls under the retry policy. Failures of this kind otherwise speak of the pool's ConfigMap, which is not at fault here. */
export async function callMachineApi<T>(
  context: PoolContext,
  options: Options,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await retry(context, 'set-byoh', checkPolicy(options.retry), attempt)
  } catch (error) {
    if (!(error instanceof PoolwrightError)) throw error
    const message = error.message.replace(
      `ConfigMap ${context.namespace}/${context.configMap}`,
      'the Machine API',
    )
    throw new PoolwrightError(error.code, message, { cause: error })
  }
}

/** Whether setBYOH made it for this test. */
export function isFor(testId: string, { metadata }: KubernetesObject): boolean {
  return metadata?.annotations?.[FALLBACK_TEST_ID_ANNOTATION] === testId
}

/** A Machine, or a MachineSet, in a few words. */
export function describeMachine({ metadata, status }: Machine): string {
  const why = status?.errorMessage ? ` (${status.errorReason}: ${status.errorMessage})` : ''
  return `${metadata?.name} ${status?.phase ?? 'without a phase'}${why}`
}

function resource(plural: string): Resource {
  return { group: MACHINE_API_GROUP, version: MACHINE_API_VERSION, plural, namespace: MACHINE_API_NAMESPACE }
}
