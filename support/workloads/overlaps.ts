import { livesOf } from '../pods/lives.ts'
import type { Moment } from '../pods/pod-record.ts'

/** One pod of a StatefulSet, from the start of its container to its end, by the clock of its node. */
export interface OrdinalLife {
  /** The pod's name ends with its ordinal. */
  readonly pod: string
  readonly node: string
  readonly startedAt: number
  /** Absent while it lasts, and where nobody said when it ended. */
  readonly finishedAt?: number
}

/** Every life of pods of this name, the first one first: all that ever bore the name, of all that was recorded. */
export function ordinalLives(record: readonly (readonly Moment[])[], pod: string): readonly OrdinalLife[] {
  return record
    .filter(([first]) => first?.pod.metadata?.name === pod)
    .flatMap((moments) => {
      const node = moments.at(-1)?.pod.spec?.nodeName ?? ''
      return livesOf(moments).map((life) => ({ pod, node, ...life }))
    })
    .toSorted((one, other) => one.startedAt - other.startedAt)
}

/** The lives that began before the one before them was known to have ended, each in words; the API tells whole seconds. */
export function overlaps(lives: readonly OrdinalLife[]): readonly string[] {
  return lives.slice(1).flatMap((life, index) => {
    const before = lives[index]
    if (!before || (before.finishedAt !== undefined && before.finishedAt <= life.startedAt)) return []
    const end = before.finishedAt === undefined ? 'nobody said when' : time(before.finishedAt)
    return [`${life.pod} began on ${life.node} at ${time(life.startedAt)}, ended on ${before.node}: ${end}`]
  })
}

function time(at: number): string {
  return new Date(at).toISOString()
}
