import type { Exchange } from '../../support/interference/journal.ts'
import type { Verb } from '../../support/interference/request-info.ts'
import { WRITES } from '../../support/interference/rule.ts'

/** All of a run at once, or its command line alone, whose Cucumber then has to put all right by itself. */
export type Victim = 'the whole run' | 'the command line'

/** One write of a run, as it is found again in the next: the so-and-so-manieth of its verb on its resource. */
export interface Write {
  readonly verb: Verb
  readonly resource: string
  /** From 0. */
  readonly nth: number
}

/** When a run is killed. */
export type Moment =
  | { readonly side: 'before' | 'after'; readonly write: Write }
  /** Milliseconds after its first write arrived. */
  | { readonly afterMs: number }

export interface Point {
  readonly moment: Moment
  readonly victim: Victim
  /** Somebody else taints and cordons the other marked node just before. */
  readonly isPlanted: boolean
}

/** At least so many unless told otherwise. */
const LEAST = 50

/**
 * The writes of a run, in order: those that took effect, for one that was refused (another had written meanwhile) is not
 * there in every run; and without renewals of its lease, which only tell how long it took.
 */
export function writesOf(exchanges: readonly Exchange[]): readonly Write[] {
  const seen = new Map<string, number>()
  const writes: Write[] = []
  for (const { verb, resource, code = 0 } of exchanges) {
    if (!WRITES.includes(verb) || (resource === 'leases' && verb === 'patch') || code >= 300) continue
    const nth = seen.get(`${verb} ${resource}`) ?? 0
    seen.set(`${verb} ${resource}`, nth + 1)
    writes.push({ verb, resource, nth })
  }
  return writes
}

/**
 * Before and after each write, filled up with random moments of a run that took so long; of fewer than there are writes, as
 * many as asked for, evenly spread. Victims take turns. In the middle of each turn somebody else is at the other node.
 */
export function planPoints(
  writes: readonly Write[],
  {
    count = Math.max(LEAST, 2 * writes.length),
    runMs,
    random,
  }: { readonly count?: number | undefined; readonly runMs: number; readonly random: () => number },
): readonly Point[] {
  const all = writes.flatMap((write): Moment[] => [
    { side: 'before', write },
    { side: 'after', write },
  ])
  const chosen = all.length > count ? spread(writes, count) : all
  const moments = [
    ...chosen,
    ...Array.from({ length: count - chosen.length }, () => ({ afterMs: Math.floor(random() * runMs) })),
  ]
  const victims = moments.map((_, at) => victimOf(at))
  const middle = Math.floor(chosen.length / 2)
  const planted = (['the whole run', 'the command line'] as const).map((one) => victims.indexOf(one, middle))
  return moments.map((moment, at) => ({
    moment,
    victim: victims[at] as Victim,
    isPlanted: planted.includes(at),
  }))
}

/** So many of them, each once and on one side, none at the very ends of the run. */
function spread(writes: readonly Write[], count: number): readonly Moment[] {
  return Array.from({ length: count }, (_, at): Moment => {
    const write = writes[Math.floor(((at + 1) * writes.length) / (count + 1))] as Write
    return { side: at % 2 === 0 ? 'before' : 'after', write }
  })
}

/** In turn, and so that neither has only what is before a write. */
function victimOf(at: number): Victim {
  return (at + Math.floor(at / 2)) % 2 === 0 ? 'the whole run' : 'the command line'
}

/** `before create configmaps 3, the whole run`. */
export function describePoint({ moment, victim, isPlanted }: Point): string {
  const when =
    'write' in moment
      ? `${moment.side} ${moment.write.verb} ${moment.write.resource} ${moment.write.nth + 1}`
      : `${moment.afterMs} ms after its first write`
  return `${victim} killed ${when}${isPlanted ? ', with a foreign taint and cordon' : ''}`
}

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
