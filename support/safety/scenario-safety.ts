import type { Limits } from '../../clusters/provider.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { ClusterChanges, type Right } from './changes.ts'
import { NotAllowedError } from './guard.ts'
import type { HeldLease } from './held-lease.ts'
import { CHANGES_HOSTS_TAG, CHANGES_TAG, holdOf } from './hold.ts'
import type { Holder } from './holder.ts'
import type { NodeSwitch } from './node-switch.ts'
import { holdNodes, useNodes } from './node-users.ts'
import { describeRestored, type Restored, restoreFailure, restoreJournal } from './restore.ts'
import { type Acquisition, takeTurn, WINDOWS_HOSTS_DOMAIN } from './turn.ts'
import { undoLimitMs } from './undo-limit.ts'
import { clearWindowsHosts, restoreWindowsHosts } from './windows-hosts.ts'

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
  #nodes: HeldLease | undefined
  #hosts: HeldLease | undefined
  #areHostsClear = true
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
   * Waits for the nodes, to change them or to use them as they are, and for the Windows hosts; from then on the scenario is
   * aborted should it lose them.
   */
  async hold(tags: readonly string[]): Promise<void> {
    const { nodes, windowsHosts } = holdOf(tags)
    const { scenario, signal } = this.#site
    this.#mayChange = tags.includes(CHANGES_TAG)
    // Always in this order, so that two that want both never wait for each other.
    if (nodes === 'beside others') this.#nodes = await useNodes(this.#nodesAcquisition(signal), scenario)
    if (nodes === 'alone') this.#nodes = await holdNodes(this.#nodesAcquisition(signal))
    if (this.#nodes) this.#endWith(this.#nodes)
    if (!windowsHosts) return
    this.#hosts = await takeTurn(WINDOWS_HOSTS_DOMAIN, this.#hostsAcquisition(signal))
    this.#endWith(this.#hosts)
  }

  /** Throws NotAllowedError where the scenario does not hold the Windows hosts. */
  assertHoldsWindowsHosts(): void {
    if (!this.#hosts)
      throw new NotAllowedError(
        `Step "${this.#step}" changes Windows hosts: tag its scenario ${CHANGES_HOSTS_TAG}`,
      )
    this.#hosts.assertHeld()
  }

  /** Takes back whatever was told to the stand-ins of the Windows operator. */
  async restoreWindowsHosts(signal: AbortSignal): Promise<void> {
    this.#areHostsClear = false
    // Without the lease they may be another's by now; whoever gets it takes all of it back first.
    if (!this.#hosts?.isHeld)
      this.#hosts = await takeTurn(WINDOWS_HOSTS_DOMAIN, this.#hostsAcquisition(signal))
    else await clearWindowsHosts(this.#hostsSite(signal, this.#hosts))
    this.#areHostsClear = true
  }

  /** Whether nothing is left of what was changed. */
  get isClean(): boolean {
    return this.changes.isClean && this.#areHostsClear
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
    if (!this.#nodes || !this.#mayChange) return []
    const signal = AbortSignal.timeout(undoLimitMs(this.#site.limits))
    const isLost = this.#nodes.signal.aborted
    // Without the lease another may be at the very same nodes, who may want what we still hold.
    if (isLost) await this.releaseWindowsHosts(signal)
    if (isLost) this.#nodes = await holdNodes(this.#nodesAcquisition(signal))
    return this.changes.undo({ right: this.#nodes, signal, regained: isLost })
  }

  /** Lets the next one have the Windows hosts. */
  async releaseWindowsHosts(signal: AbortSignal): Promise<void> {
    const lease = this.#hosts
    this.#hosts = undefined
    await lease?.release(signal)
  }

  /** Lets the next one have the nodes. */
  async releaseNodes(signal: AbortSignal): Promise<void> {
    await this.#nodes?.release(signal)
  }

  #endWith(lease: HeldLease): void {
    const lost = (): void => this.#site.abort((lease.signal.reason as Error).message)
    if (lease.signal.aborted) lost()
    else lease.signal.addEventListener('abort', lost, { once: true })
  }

  #permit(): Right {
    const right = this.#held()
    if (this.#changing > 0) return right
    throw new NotAllowedError(
      `Step "${this.#step}" changes the cluster and does not say so: its definition needs the options changesCluster`,
    )
  }

  #held(): Right {
    if (this.#nodes && this.#mayChange) return this.#nodes
    throw new NotAllowedError(`Step "${this.#step}" changes the cluster: tag its scenario ${CHANGES_TAG}`)
  }

  #nodesAcquisition(signal: AbortSignal): Acquisition {
    const { kube, holder, limits, nodes, say } = this.#site
    return {
      kube,
      holder,
      signal,
      say,
      onTurn: async (right) => this.#tell(await restoreJournal({ kube, limits, nodes, signal, right })),
    }
  }

  #hostsAcquisition(signal: AbortSignal): Acquisition {
    const { kube, holder, say } = this.#site
    return {
      kube,
      holder,
      signal,
      say,
      onTurn: async (right) => this.#tell(await restoreWindowsHosts(this.#hostsSite(signal, right))),
    }
  }

  #hostsSite(signal: AbortSignal, right: Right) {
    return { kube: this.#site.kube, limitMs: this.#site.limits.reaction, signal, right }
  }

  /** Throws NotRestoredError. */
  #tell(restored: readonly Restored[]): void {
    for (const one of restored) this.#site.say(describeRestored(one))
    const failure = restoreFailure(restored)
    if (failure) throw failure
  }
}
