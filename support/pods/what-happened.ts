import type { PoolwrightWorld } from '../world.ts'
import { containersOf } from './pod.ts'
import { podsOf } from './pods.ts'
import type { SpokenLine } from './transcript.ts'

/**
 * What a pod's containers said, in order: all of it when the pod has ended or is to be deleted, as it was heard;
 * else as soon as they have said so many lines.
 */
export async function whatHappened(
  world: PoolwrightWorld,
  name: string,
  lines: number,
): Promise<readonly SpokenLine[]> {
  const pods = podsOf(world)
  const { reaction } = world.limits
  const transcript = pods.knownHeard(name) ?? (await pods.listen(name))
  if (pods.record.of(name).at(-1)?.pod.metadata?.deletionTimestamp) {
    await pods.untilGone(name)
    return transcript.untilEnd(reaction)
  }
  // The record may lag behind what the scenario has already seen.
  const containers = containersOf(await pods.get(name))
  if (containers.every(({ state }) => state?.terminated)) return transcript.untilEnd(reaction)
  return transcript.until(
    `pod ${name} to say ${lines} lines`,
    reaction,
    (said) => said.length >= lines && said,
  )
}
