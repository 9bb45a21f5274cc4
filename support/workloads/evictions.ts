import { ApiStatusError } from '../../src/kube/api-status-error.ts'
import { requestEviction } from '../drain/evict.ts'
import { podsOf } from '../pods/pods.ts'
import type { PoolwrightWorld } from '../world.ts'

/** What the API answered to an eviction; undefined where it agreed. */
const refusals = new WeakMap<PoolwrightWorld, ApiStatusError | undefined>()

/** Asks once for the eviction of a pod of the scenario; a refusal is for a step to judge. */
export async function evictPod(world: PoolwrightWorld, name: string): Promise<void> {
  const { metadata } = await podsOf(world).get(name)
  const key = { namespace: world.namespace, name, uid: metadata?.uid ?? '' }
  refusals.set(
    world,
    await requestEviction(world.kube, key, world.signal).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof ApiStatusError) return error
        throw error
      },
    ),
  )
}

/** How the last eviction was refused. Throws where the API agreed to it. */
export function evictionRefusal(world: PoolwrightWorld): ApiStatusError {
  const refusal = refusals.get(world)
  if (!refusal) throw new Error('the eviction was not refused')
  return refusal
}

/** Throws what the API said where it did not agree to the last eviction. */
export function assertEvicted(world: PoolwrightWorld): void {
  const refusal = refusals.get(world)
  if (refusal) throw refusal
}
