import { containerOf } from './pod.ts'
import type { Moment } from './pod-record.ts'

/** From a container's start to its end, by the clock of its node, in milliseconds since 1970. */
export interface Life {
  readonly startedAt: number
  /** Absent while it lasts. */
  readonly finishedAt?: number
}

/** A container's lives, the first one first, from all that the API said of its pod. */
export function livesOf(moments: readonly Moment[], container = 'main'): readonly Life[] {
  const lives = new Map<string, Life>()
  for (const { pod } of moments) {
    const { containerID, state, lastState } = containerOf(pod, container) ?? {}
    const ended = [lastState?.terminated, state?.terminated]
    for (const { containerID: id, startedAt, finishedAt } of ended.filter((end) => end !== undefined))
      if (id && startedAt && finishedAt)
        lives.set(id, { startedAt: Date.parse(startedAt), finishedAt: Date.parse(finishedAt) })
    const startedAt = state?.running?.startedAt
    if (containerID && startedAt && !lives.has(containerID))
      lives.set(containerID, { startedAt: Date.parse(startedAt) })
  }
  return [...lives.values()]
}

/** How long it was dead between one life and the next, in milliseconds; the API tells whole seconds. */
export function pausesOf(lives: readonly Life[]): readonly number[] {
  return lives.slice(1).map(({ startedAt }, index) => startedAt - (lives[index]?.finishedAt ?? startedAt))
}
