import type { Limits } from '../../clusters/provider.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { ClusterChanges, type Right } from './changes.ts'
import { NotAllowedError } from './guard.ts'
import type { HeldLease } from './held-lease.ts'
import { CHANGES_TAG, holdOf } from './hold.ts'
import type { Holder } from './holder.ts'
import type { Acquisition } from './node-lease.ts'
import type { NodeSwitch } from './node-switch.ts'
import { holdNodes, useNodes } from './node-users.ts'
import { describeRestored, restoreFailure, restoreJournal } from './restore.ts'
import { undoLimitMs } from './undo-limit.ts'

export interface SafetySite {
  readonly kube: KubeClient
  readonly holder: Holder
  readonly limits: Limits
  readonly nodes?: NodeSwitch | undefined
  readonly scenario: string
  readonly labels: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Ends the scenario. */
  readonly abort: (reason: string) => void
  /** A line for people, while it goes on. */
  readonly say: (line: string) => void
}

/** Numbers the entries of this worker. */
let sequence = 0

/** What one scenario may change of the cluster, when, and how all of it is taken back. */
export class ScenarioSafety {
  readonly changes: ClusterChanges
  readonly #site: SafetySite
  #lease: HeldLease | undefined
  #mayChange = false
  #step = ''
  #changing = 0

  constructor(site: SafetySite) {
    this.#site = site
    this.changes = new ClusterChanges({
      ...site,
      nextSequence: () => ++sequence,
      permit: () => this.#permit(),
    })
  }

  /**
   * Waits for the nodes, to change them or to use them as they are; from then on the scenario is aborted should it lose
   * them.
   */
  async hold(tags: readonly string[]): Promise<void> {
    const hold = holdOf(tags)
    if (hold === 'none') return
    this.#mayChange = tags.includes(CHANGES_TAG)
    const acquisition = this.#acquisition(this.#site.signal)
    const lease = await (hold === 'beside others'
      ? useNodes(acquisition, this.#site.scenario)
      : holdNodes(acquisition))
    this.#lease = lease
    const lost = (): void => this.#site.abort((lease.signal.reason as Error).message)
    if (lease.signal.aborted) lost()
    else lease.signal.addEventListener('abort', lost, { once: true })
  }

  /** Throws NotAllowedError where the scenario does not hold the nodes, and all else that the cluster has only once. */
  assertHeld(): void {
    this.#held().assertHeld()
  }

  /** Which step runs, for those who are refused. */
  begin(step: string): void {
    this.#step = step
  }

  /** For a step whose definition says that it changes the cluster; call what is answered when it is over. */
  allowChanges(): () => void {
    this.#changing += 1
    return () => {
      this.#changing -= 1
    }
  }

  /** Takes back whatever was changed, with a deadline of its own. Answers what was left alone, in words. */
  async undo(): Promise<readonly string[]> {
    if (!this.#lease || !this.#mayChange) return []
    const signal = AbortSignal.timeout(undoLimitMs(this.#site.limits))
    const isLost = this.#lease.signal.aborted
    // Without the lease another may be at the very same nodes.
    if (isLost) this.#lease = await holdNodes(this.#acquisition(signal))
    return this.changes.undo({ right: this.#lease, signal, regained: isLost })
  }

  /** Lets the next one have the nodes. */
  async release(signal: AbortSignal): Promise<void> {
    await this.#lease?.release(signal)
  }

  #permit(): Right {
    const right = this.#held()
    if (this.#changing > 0) return right
    throw new NotAllowedError(
      `Step "${this.#step}" changes the cluster and does not say so: its definition needs the options changesCluster`,
    )
  }

  #held(): Right {
    if (this.#lease && this.#mayChange) return this.#lease
    throw new NotAllowedError(`Step "${this.#step}" changes the cluster: tag its scenario ${CHANGES_TAG}`)
  }

  #acquisition(signal: AbortSignal): Acquisition {
    const { kube, holder, limits, nodes, say } = this.#site
    return {
      kube,
      holder,
      signal,
      say,
      onTurn: async (right) => {
        const restored = await restoreJournal({ kube, limits, nodes, signal, right })
        for (const one of restored) say(describeRestored(one))
        const failure = restoreFailure(restored)
        if (failure) throw failure
      },
    }
  }
}
