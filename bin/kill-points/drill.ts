import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { WRITES } from '../../support/interference/rule.ts'
import { undoLimitMs } from '../../support/safety/undo-limit.ts'
import { foreignLost, plantForeign, unplantForeign } from './admins-marks.ts'
import { type Ended, type RunRequest, runSuiteOnce } from './killed-run.ts'
import { type Point, type Write, writesOf } from './points.ts'
import type { Site } from './site.ts'
import { compareSnapshots, type Snapshot, Snapshots } from './snapshot.ts'

const POOLWRIGHT = fileURLToPath(new URL('../poolwright.ts', import.meta.url))
/** What a start, a wait for a lease and clean-up may take on a very busy machine, beside what the cluster may take. */
const ALLOWANCE_MS = 120_000
const LOOK_EVERY_MS = 100

export interface DrillRequest {
  readonly site: Site
  /** For what runs leave on the machine. */
  readonly folder: string
  readonly signal: AbortSignal
}

export interface Tried {
  /** What is not as it was before, each in words. */
  readonly differences: readonly string[]
  readonly tookMs: number
}

/** Runs one scenario on a site again and again, and compares what is left of each with how it was. */
export class Drill {
  readonly #request: DrillRequest
  readonly #snapshots: Snapshots
  #before: Snapshot
  #runs = 0

  private constructor(request: DrillRequest, snapshots: Snapshots, before: Snapshot) {
    this.#request = request
    this.#snapshots = snapshots
    this.#before = before
  }

  static async open(request: DrillRequest): Promise<Drill> {
    const snapshots = await Snapshots.of(request.site.kube, request.signal)
    return new Drill(request, snapshots, await snapshots.take(request.signal))
  }

  /** Which one is run: pods are drained only where pods run. */
  get scenario(): string {
    return this.#tags === WITH_PODS ? 'with a drain' : 'without a drain, since no pods run here'
  }

  /** Runs it once to its end. Throws where it does not pass, or does not leave the cluster as it was. */
  async countWrites(): Promise<{ readonly writes: readonly Write[]; readonly runMs: number }> {
    const { exitCode, printed, exchanges } = await runSuiteOnce(await this.#nextRun())
    if (exitCode !== 0) throw new Error(`the scenario ended with exit code ${exitCode} unharmed:\n${printed}`)
    const differences = await this.#differences()
    if (differences.length > 0)
      throw new Error(`unharmed it does not leave the cluster as it was:\n${differences.join('\n')}`)
    const times = exchanges.filter(({ verb }) => WRITES.includes(verb)).map(({ at }) => at)
    return { writes: writesOf(exchanges), runMs: Math.max(...times) - Math.min(...times) }
  }

  /** Kills a run there, restores, and compares. */
  async tryPoint(point: Point): Promise<Tried> {
    const began = Date.now()
    const { site, signal } = this.#request
    const { kube } = site
    // The one that the scenario does not cordon: a cordon there is somebody else's.
    const other = site.node('management')
    const plant = (): Promise<unknown> => plantForeign(kube, other, signal)
    const ended = await runSuiteOnce(await this.#nextRun(), point, point.isPlanted ? plant : undefined)
    const restore = await this.#restore()
    const lost = point.isPlanted ? await foreignLost(kube, other, signal) : []
    if (point.isPlanted) await unplantForeign(kube, other, signal)
    const left = await this.#differences()
    const differences = [...missed(ended), ...restore.failures, ...lost, ...left]
    if (left.length > 0) this.#before = await this.#snapshots.take(signal)
    const evidence =
      differences.length > 0 ? [`the run said:\n${ended.printed}`, `restore said:\n${restore.printed}`] : []
    return { differences: [...differences, ...evidence], tookMs: Date.now() - began }
  }

  /** What the command does, by itself: it knows nothing of the runs. */
  async #restore(): Promise<{ readonly failures: readonly string[]; readonly printed: string }> {
    const { site, signal } = this.#request
    const { rung, name } = site.description
    const { exitCode, all } = await execa(
      process.execPath,
      [POOLWRIGHT, 'restore', '--cluster', rung, '--name', name],
      {
        reject: false,
        stdin: 'ignore',
        all: true,
        env: { NODE_TEST_CONTEXT: undefined },
        timeout: this.#limitMs,
        cancelSignal: signal,
      },
    )
    signal.throwIfAborted()
    const failures = exitCode === 0 ? [] : [`"poolwright restore" ended with exit code ${exitCode}`]
    return { failures, printed: all ?? '' }
  }

  /** Controllers follow: a taint of the cluster's own goes a moment after the cordon that it tells of. */
  async #differences(): Promise<readonly string[]> {
    const { site, signal } = this.#request
    const deadline = Date.now() + site.description.limits.reaction
    for (;;) {
      const differences = compareSnapshots(this.#before, await this.#snapshots.take(signal))
      if (differences.length === 0 || Date.now() > deadline) return differences
      await delay(LOOK_EVERY_MS, undefined, { signal })
    }
  }

  async #nextRun(): Promise<RunRequest> {
    const { site, folder, signal } = this.#request
    const { description, upstream } = site
    const own = join(folder, `run-${++this.#runs}`)
    await mkdir(own)
    return {
      description,
      upstream,
      tags: this.#tags,
      folder: own,
      limitMs: this.#limitMs,
      signal,
    }
  }

  get #tags(): string {
    const { capabilities } = this.#request.site.description
    return capabilities.includes('running-pods') ? WITH_PODS : '@without-pods'
  }

  get #limitMs(): number {
    return ALLOWANCE_MS + 2 * undoLimitMs(this.#request.site.description.limits)
  }
}

const WITH_PODS = '@with-pods'

/** A run that was not killed where it should have been proves nothing. */
function missed({ isKilled, exitCode }: Ended): readonly string[] {
  return isKilled ? [] : [`the point never came: the run ended with exit code ${exitCode}`]
}
