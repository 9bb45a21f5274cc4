import { setTimeout as sleep } from 'node:timers/promises'
import { HOLDER_ANNOTATION, JOURNAL_NAMESPACE, NODES_LEASE, RUN_LABEL } from '../../src/contract/names.ts'
import { isAlreadyExists, isConflict, isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { listWatch } from '../../src/kube/list-watch.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import type { Right } from './changes.ts'
import { type Holder, identityOf, isSameHolder } from './holder.ts'
import { holderOf, type Lease, LeaseObservation } from './lease-observation.ts'
import { isPassing, persist } from './persist.ts'

const LEASES = collectionPath('coordination.k8s.io/v1', 'leases', JOURNAL_NAMESPACE)
const LEASE = objectPath(LEASES, NODES_LEASE)

export interface LeaseTiming {
  /** Whole seconds: without a renewal for this long, as the others see it, its holder counts as dead. */
  readonly durationS: number
  readonly renewEveryMs: number
  /** So much earlier the holder itself stops: what it wrote last must have arrived before another may write. */
  readonly marginMs: number
}

const TIMING: LeaseTiming = { durationS: 15, renewEveryMs: 4_000, marginMs: 5_000 }
/** How often a holder on this machine is looked for among its processes. */
const LOOK_EVERY_MS = 500

/** The right to change nodes is gone: another may have it by now. */
export class LeaseLostError extends Error {
  constructor(why: string) {
    super(`the lease was lost: ${why}`)
    this.name = 'LeaseLostError'
  }
}

export interface Acquisition {
  readonly kube: KubeClient
  readonly holder: Holder
  /** Ends the wait; there is no other limit. */
  readonly signal: AbortSignal
  /** A line for people, whenever it waits for another holder. */
  readonly say: (line: string) => void
  /** Puts right what a dead holder left, before anything else is changed; the lease is held meanwhile. */
  readonly onTakeover: (right: Right) => Promise<void>
  /** A test's own. */
  readonly timing?: LeaseTiming
}

/**
 * The Lease that keeps runs, workers and people from changing the same nodes at once. Renewed until it is released; where
 * that fails for too long its signal aborts, and nothing more may be changed by it.
 */
export class NodeLease implements Right {
  readonly #kube: KubeClient
  readonly #holder: Holder
  readonly #timing: LeaseTiming
  readonly #controller = new AbortController()
  readonly #ending = new AbortController()
  #lease: Lease
  /** By the monotonic clock: when the last renewal that succeeded was sent. */
  #renewedAt: number
  #deadline: NodeJS.Timeout | undefined
  readonly #renewing: Promise<void>

  private constructor({ kube, holder, timing = TIMING }: Acquisition, { lease, sentAt }: Taken) {
    this.#kube = kube
    this.#holder = holder
    this.#timing = timing
    this.#lease = lease
    this.#renewedAt = sentAt
    this.#setDeadline()
    this.#renewing = this.#renewUntilReleased()
  }

  /** Waits for its turn. Throws the signal's reason, or what `onTakeover` throws. */
  static async acquire(acquisition: Acquisition): Promise<NodeLease> {
    const { signal } = acquisition
    while (true) {
      signal.throwIfAborted()
      const taken = (await create(acquisition)) ?? (await take(acquisition))
      if (!taken) continue
      const lease = new NodeLease(acquisition, taken)
      try {
        if (taken.isTakenOver) await acquisition.onTakeover(lease)
        return lease
      } catch (error) {
        await lease.release(signal).catch(() => undefined)
        throw error
      }
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Throws LeaseLostError. Looks at the clock itself: after a pause of the process no timer has run yet. */
  assertHeld(): void {
    if (performance.now() >= this.#validUntil) this.#lose('it was not renewed in time')
    this.signal.throwIfAborted()
  }

  /** Deletes it, so that nothing is left and the next one need not wait; one that is another's by now is left alone. */
  async release(signal: AbortSignal): Promise<void> {
    this.#ending.abort()
    clearTimeout(this.#deadline)
    await this.#renewing
    while (!this.signal.aborted) {
      const { uid, resourceVersion } = this.#lease.metadata ?? {}
      try {
        await persist(signal, () =>
          this.#kube.delete(LEASE, { preconditions: { uid, resourceVersion } }, signal),
        )
        return
      } catch (error) {
        if (isNotFound(error)) return
        if (!isConflict(error)) throw error
        // A renewal whose answer did not come, or another holder.
        if (!(await this.#reread(signal))) return
      }
    }
  }

  async #renewUntilReleased(): Promise<void> {
    const ending = this.#ending.signal
    const { renewEveryMs } = this.#timing
    while (!ending.aborted && !this.signal.aborted) {
      await sleep(renewEveryMs, undefined, { signal: ending, ref: false }).catch(() => undefined)
      if (ending.aborted) return
      await this.#renew(AbortSignal.any([ending, AbortSignal.timeout(renewEveryMs)])).catch(
        (error: unknown) => {
          if (isNotFound(error)) this.#lose('somebody deleted it')
          // Anything else may pass before the deadline.
        },
      )
    }
  }

  async #renew(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const sentAt = performance.now()
      const { uid, resourceVersion } = this.#lease.metadata ?? {}
      const patch = { metadata: { uid, resourceVersion }, spec: { renewTime: microTime() } }
      try {
        this.#lease = await this.#kube.patch<Lease>(LEASE, patch, 'merge', signal)
        this.#renewedAt = sentAt
        this.#setDeadline()
        return
      } catch (error) {
        if (!isConflict(error)) throw error
        if (!(await this.#reread(signal))) return this.#lose('another holder took it')
      }
    }
  }

  /** False where it is not ours any more. */
  async #reread(signal: AbortSignal): Promise<boolean> {
    const lease = await persist(signal, () => this.#kube.get<Lease>(LEASE, signal)).catch(
      (error: unknown) => {
        if (isNotFound(error)) return undefined
        throw error
      },
    )
    if (!lease || !isSameHolder(this.#holder, holderOf(lease))) return false
    this.#lease = lease
    return true
  }

  #setDeadline(): void {
    clearTimeout(this.#deadline)
    if (this.#ending.signal.aborted) return
    const remaining = this.#validUntil - performance.now()
    this.#deadline = setTimeout(() => this.#lose('it could not be renewed'), remaining).unref()
  }

  get #validUntil(): number {
    return this.#renewedAt + this.#timing.durationS * 1_000 - this.#timing.marginMs
  }

  #lose(why: string): void {
    clearTimeout(this.#deadline)
    this.#controller.abort(new LeaseLostError(why))
  }
}

interface Taken {
  readonly lease: Lease
  /** By the monotonic clock: when the write that got it was sent. */
  readonly sentAt: number
  /** Whether somebody else had it, and left what is to be put right. */
  readonly isTakenOver: boolean
}

/** Undefined where there is one already, or no answer came. */
async function create({ kube, holder, signal, timing }: Acquisition): Promise<Taken | undefined> {
  const lease: Lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: NODES_LEASE, namespace: JOURNAL_NAMESPACE, ...marksOf(holder) },
    spec: specOf(holder, timing, 0),
  }
  const sentAt = performance.now()
  try {
    return { lease: await kube.create<Lease>(LEASES, lease, signal), sentAt, isTakenOver: false }
  } catch (error) {
    if (isAlreadyExists(error) || isPassing(error)) return undefined
    throw error
  }
}

/** Watches until there is none, which answers undefined, or it can be taken from a dead holder, or is ours already. */
async function take(acquisition: Acquisition): Promise<Taken | undefined> {
  const { holder, signal } = acquisition
  const observation = new LeaseObservation(holder)
  // A takeover whose answer was lost is one all the same.
  let isTakenOver = false
  while (true) {
    const lease = await untilFree(acquisition, observation)
    signal.throwIfAborted()
    if (!lease) return undefined
    isTakenOver ||= !isSameHolder(holder, holderOf(lease))
    const sentAt = performance.now()
    const replaced = await replace(acquisition, lease)
    if (replaced) return { lease: replaced, sentAt, isTakenOver }
  }
}

/** The lease as it was last seen; undefined where there is none, or the signal aborts. */
async function untilFree(
  { kube, signal, say }: Acquisition,
  observation: LeaseObservation,
): Promise<Lease | undefined> {
  const turn = new AbortController()
  // An end of its holder is no event of the API.
  const looking = setInterval(() => {
    if (observation.isFree(performance.now())) turn.abort()
  }, LOOK_EVERY_MS)
  try {
    const watching = { path: LEASES, fieldSelector: `metadata.name=${NODES_LEASE}` }
    const ends = AbortSignal.any([signal, turn.signal])
    for await (const item of listWatch<Lease>(kube, { ...watching, signal: ends })) {
      if (item.type === 'BOOKMARK' || item.type === 'GAP') continue
      const lease = item.type === 'LISTED' ? item.objects[0] : item.object
      if (!lease || item.type === 'DELETED') return undefined
      const news = observation.see(lease, performance.now())
      if (observation.isFree(performance.now())) return lease
      if (news) say(`waiting for the nodes: ${news} changes them`)
    }
    return signal.aborted ? undefined : observation.lease
  } finally {
    clearInterval(looking)
  }
}

/** Undefined where it was not as it was read, or no answer came: the next look tells. */
async function replace(
  { kube, holder, signal, timing }: Acquisition,
  { metadata, spec }: Lease,
): Promise<Lease | undefined> {
  const { uid, resourceVersion } = metadata ?? {}
  const patch = {
    metadata: { uid, resourceVersion, ...marksOf(holder) },
    spec: specOf(holder, timing, (spec?.leaseTransitions ?? 0) + 1),
  }
  try {
    return await kube.patch<Lease>(LEASE, patch, 'merge', signal)
  } catch (error) {
    if (isConflict(error) || isNotFound(error) || isPassing(error)) return undefined
    throw error
  }
}

function specOf(
  holder: Holder,
  { durationS } = TIMING,
  leaseTransitions: number,
): NonNullable<Lease['spec']> {
  const now = microTime()
  return {
    holderIdentity: identityOf(holder),
    leaseDurationSeconds: durationS,
    acquireTime: now,
    renewTime: now,
    leaseTransitions,
  }
}

function marksOf(holder: Holder): Pick<NonNullable<Lease['metadata']>, 'labels' | 'annotations'> {
  return {
    labels: { [RUN_LABEL]: holder.run },
    annotations: { [HOLDER_ANNOTATION]: JSON.stringify(holder) },
  }
}

/** As metav1.MicroTime is written. */
function microTime(): string {
  return new Date().toISOString().replace('Z', '000Z')
}
