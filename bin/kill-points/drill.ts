import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { WRITES } from '../../support/interference/rule.ts'
import { undoLimitMs } from '../../support/safety/undo-limit.ts'
import { foreignLost, plantForeign, unplantForeign } from './admins-marks.ts'
import { type Ended, type RunRequest, runSuiteOnce } from './killed-run.ts'
import { type Point, type Write, writesOf } from './points.ts'
import { restoreByCommand } from './restore-command.ts'
import type { Site } from './site.ts'
import { compareSnapshots, type Snapshot, Snapshots } from './snapshot.ts'

const WITH_PODS = '@with-pods'
const WITHOUT_PODS = '@without-pods'
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
  /** How many objects `restore` had to put back. */
  readonly putBack: number
  readonly tookMs: number
}

/** Runs one scenario on a site again and again, and compares what is left of each with how it was. */
export class Drill {
  readonly #request: DrillRequest
  readonly #snapshots: Snapshots
  #before: Snapshot
  #runs = 0
  #isPlanted = false

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
    const ended = await this.#killAt(point)
    const restore = await restoreByCommand(site, this.#limitMs)
    signal.throwIfAborted()
    const lost = point.isPlanted ? await foreignLost(site.kube, this.#other, signal) : []
    await this.#unplant(signal)
    const left = await this.#differences()
    if (left.length > 0) this.#before = await this.#snapshots.take(signal)
    const differences = [...missed(ended), ...restore.failures, ...lost, ...left]
    const evidence = [`the run said:\n${ended.printed}`, `restore said:\n${restore.printed}`]
    return {
      differences: differences.length > 0 ? [...differences, ...evidence] : [],
      putBack: restore.putBack,
      tookMs: Date.now() - began,
    }
  }

  /** After a drill that was broken off, with a deadline of its own. */
  async putBack(): Promise<void> {
    const { failures, printed } = await restoreByCommand(this.#request.site, this.#limitMs)
    await this.#unplant(AbortSignal.timeout(ALLOWANCE_MS))
    if (failures.length > 0) throw new Error(`${failures[0]}:\n${printed}`)
  }

  /** A run that is over before its random moment is tried again with an earlier one; at 0 it is killed for certain. */
  async #killAt(point: Point): Promise<Ended> {
    const { moment, isPlanted } = point
    const plant = isPlanted ? () => this.#plant() : undefined
    const ended = await runSuiteOnce(await this.#nextRun(), point, plant)
    if (ended.isKilled || !('afterMs' in moment) || moment.afterMs === 0) return ended
    return this.#killAt({ ...point, moment: { afterMs: Math.floor(moment.afterMs / 2) } })
  }

  /** Once the scenario's pods run it leaves this one open: a cordon that is there from then on is somebody else's. */
  get #other(): string {
    return this.#request.site.node('management')
  }

  async #plant(): Promise<void> {
    const { site, signal } = this.#request
    this.#isPlanted = true
    await plantForeign(site.kube, this.#other, signal)
  }

  async #unplant(signal: AbortSignal): Promise<void> {
    if (this.#isPlanted) await unplantForeign(this.#request.site.kube, this.#other, signal)
    this.#isPlanted = false
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
    return { description, upstream, tags: this.#tags, folder: own, limitMs: this.#limitMs, signal }
  }

  get #tags(): string {
    const { capabilities } = this.#request.site.description
    return capabilities.includes('running-pods') ? WITH_PODS : WITHOUT_PODS
  }

  get #limitMs(): number {
    return ALLOWANCE_MS + 2 * undoLimitMs(this.#request.site.description.limits)
  }
}

/** A run that was not killed where it should have been proves nothing. */
function missed({ isKilled, exitCode }: Ended): readonly string[] {
  return isKilled ? [] : [`the point never came: the run ended with exit code ${exitCode}`]
}
