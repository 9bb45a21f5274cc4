import type { ConfigMap } from '../src/contract/kubernetes.ts'
import { viewPool } from '../src/pool/pool-view.ts'
import type { Mode, Story } from './pool-contention-task.ts'

/** The pool must do this many times better than the baseline. */
const DEMANDED_RATIO = 4

export interface Measured {
  readonly mode: Mode
  readonly seconds: number
  readonly stories: readonly Story[]
  readonly faults: readonly string[]
}

/** What must not be: a failure, a node given twice, an entry that says otherwise, a neighbour changed or lost. */
export function findFaults(
  mode: Mode,
  before: ConfigMap,
  after: ConfigMap,
  stories: readonly Story[],
): string[] {
  // The baseline may starve: that is what it is compared for.
  const failed = mode === 'baseline' ? [] : stories
  const faults = failed.flatMap(({ testId, failure }) => (failure ? [`${testId} failed: ${failure}`] : []))
  const holders = new Map<string, string>()
  for (const { testId, address } of stories) {
    if (address === undefined) continue
    const other = holders.get(address)
    if (other) faults.push(`${address} was given to ${other} and to ${testId}`)
    holders.set(address, testId)
  }
  for (const { address, testId } of viewPool(after).entries) {
    const holder = holders.get(address)
    if (testId !== holder) faults.push(`${address} says ${testId}, but was given to ${holder}`)
    if (!holder && after.data?.[address] !== before.data?.[address])
      faults.push(`${address} changed for nobody`)
  }
  const [had, has] = [before, after].map(({ data }) => Object.keys(data ?? {}).length)
  if (had !== has) faults.push(`${had} entries became ${has}`)
  return faults
}

/** The table of a run, and what is wrong with it. */
export function reportOf(measured: readonly Measured[]): {
  readonly lines: readonly string[]
  readonly passed: boolean
} {
  const base = measured.find(({ mode }) => mode === 'baseline')
  const ratioOf = ({ mode, seconds }: Measured) =>
    base && mode !== 'baseline' ? base.seconds / seconds : undefined
  const wrong = measured.flatMap(({ mode, faults }) =>
    faults.slice(0, 5).map((fault) => `WRONG: ${mode}: ${fault}`),
  )
  const starved = base?.stories.filter(({ failure }) => failure !== undefined).length ?? 0
  const slow = measured
    .filter((it) => (ratioOf(it) ?? DEMANDED_RATIO) < DEMANDED_RATIO)
    .map(({ mode }) => `TOO SLOW: ${mode} is less than ${DEMANDED_RATIO} times better than the baseline`)
  const lines = [
    'strategy          total s   ratio  writes/allocation  reads/allocation  median s  slowest s',
    ...measured.map((it) => lineOf(it, ratioOf(it))),
    ...(starved > 0 ? [`The baseline left ${starved} without a node: its ratio is a lower bound.`] : []),
    ...wrong,
    ...slow,
    ...(wrong.length === 0 ? ['Nobody got a node twice, nobody failed, no neighbour changed.'] : []),
  ]
  return { lines, passed: wrong.length + slow.length === 0 }
}

function lineOf({ mode, seconds, stories }: Measured, ratio: number | undefined): string {
  const times = stories.map(({ milliseconds }) => milliseconds / 1000).toSorted((a, b) => a - b)
  const mean = (of: (story: Story) => number) =>
    stories.reduce((sum, story) => sum + of(story), 0) / stories.length
  return [
    mode.padEnd(16),
    seconds.toFixed(2).padStart(8),
    (ratio?.toFixed(1) ?? '–').padStart(7),
    mean(({ writes }) => writes)
      .toFixed(2)
      .padStart(18),
    mean(({ reads }) => reads)
      .toFixed(2)
      .padStart(17),
    (times[Math.floor(times.length / 2)] ?? 0).toFixed(2).padStart(9),
    (times.at(-1) ?? 0).toFixed(2).padStart(10),
  ].join(' ')
}
