import type { PoolwrightWorld } from '../world.ts'
import { podsOf } from './pods.ts'
import type { SpokenLine } from './transcript.ts'

/**
 * What a pod's containers said, in order: all of it when the pod is gone or has ended, as it was heard; else as soon
 * as they have said so many lines.
 */
export async function whatHappened(
  world: PoolwrightWorld,
  name: string,
  lines: number,
): Promise<readonly SpokenLine[]> {
  const pods = podsOf(world)
  const { reaction } = world.limits
  const transcript = pods.knownHeard(name) ?? (await pods.listen(name))
  const last = pods.record.of(name).at(-1)
  const ended = last?.gone || ['Succeeded', 'Failed'].includes(last?.pod.status?.phase ?? '')
  if (ended) return transcript.untilEnd(reaction)
  return transcript.until(
    `pod ${name} to say ${lines} lines`,
    reaction,
    (said) => said.length >= lines && said,
  )
}
