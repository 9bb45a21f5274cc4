import { setTimeout as sleep } from 'node:timers/promises'
import { HOLDER_ANNOTATION, JOURNAL_NAMESPACE, RUN_LABEL } from '../../src/contract/names.ts'
import { ifFound, isConflict, isNotFound } from '../../src/kube/api-status-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import { collectionPath, objectPath } from '../../src/kube/paths.ts'
import type { Right } from './changes.ts'
import { type Holder, identityOf, isSameHolder } from './holder.ts'
import { holderOf, type Lease } from './lease-observation.ts'
import { persist } from './persist.ts'

export const LEASES = collectionPath('coordination.k8s.io/v1', 'leases', JOURNAL_NAMESPACE)

export interface LeaseTiming {
  /** Whole seconds: without a renewal for this long, as the others see it, its holder counts as dead. */
  readonly durationS: number
  readonly renewEveryMs: number
  /** So much earlier the holder itself stops: what it wrote last must have arrived before another may write. */
  readonly marginMs: number
}

/** What a write of a lease may take. */
export const WRITE_MS = 10_000

const TIMING: LeaseTiming = { durationS: 15, renewEveryMs: 4_000, marginMs: 5_000 }

/** What it was held for may be another's by now. */
export class LeaseLostError extends Error {
  constructor(why: string) {
    super(`the lease was lost: ${why}`)
    this.name = 'LeaseLostError'
  }
}

/** Who holds a lease, where, and how. */
export interface Holding {
  readonly kube: KubeClient
  readonly holder: Holder
  /** A test's own. */
  readonly timing?: LeaseTiming
}

/** A write that made it ours. */
export interface Taken {
  readonly lease: Lease
  /** By the monotonic clock: when it was sent. */
  readonly sentAt: number
}

/**
 * A Lease that is ours. Renewed until it is released; where that fails for too long its signal aborts, and nothing more may
 * be done by it.
 */
export class HeldLease implements Right {
  readonly #kube: KubeClient
  readonly #holder: Holder
  readonly #timing: LeaseTiming
  readonly #path: string
  readonly #controller = new AbortController()
  readonly #ending = new AbortController()
  #lease: Lease
  /** By the monotonic clock: when the last renewal that succeeded was sent. */
  #renewedAt: number
  #deadline: NodeJS.Timeout | undefined
  readonly #renewing: Promise<void>

  constructor({ kube, holder, timing = TIMING }: Holding, { lease, sentAt }: Taken) {
    this.#kube = kube
    this.#holder = holder
    this.#timing = timing
    this.#path = objectPath(LEASES, lease.metadata?.name ?? '')
    this.#lease = lease
    this.#renewedAt = sentAt
    this.#setDeadline()
    this.#renewing = this.#renewUntilReleased()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Looks at the clock itself: after a pause of the process no timer has run yet. */
  get isHeld(): boolean {
    if (performance.now() >= this.#validUntil) this.#lose('it was not renewed in time')
    return !this.signal.aborted
  }

  /** Throws LeaseLostError. */
  assertHeld(): void {
    if (!this.isHeld) throw this.signal.reason
  }

  /** Deletes it, so that nothing is left and the next one need not wait; one that is another's by now is left alone. */
  async release(signal: AbortSignal): Promise<void> {
    this.#ending.abort()
    clearTimeout(this.#deadline)
    await this.#renewing
    // One that was lost may still lie there as we left it.
    if (this.signal.aborted && !(await this.#reread(signal))) return
    while (true) {
      const { uid, resourceVersion } = this.#lease.metadata ?? {}
      try {
        await persist(signal, () =>
          this.#kube.delete(this.#path, { preconditions: { uid, resourceVersion } }, signal),
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
        this.#lease = await this.#kube.patch<Lease>(this.#path, patch, 'merge', signal)
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
    const lease = await ifFound(persist(signal, () => this.#kube.get<Lease>(this.#path, signal)))
    if (!lease || !this.#isThisHold(lease)) return false
    this.#lease = lease
    return true
  }

  /** One worker holds it again and again: a clean-up that comes late must not give back what a later scenario holds. */
  #isThisHold(lease: Lease): boolean {
    return (
      isSameHolder(this.#holder, holderOf(lease)) &&
      lease.metadata?.uid === this.#lease.metadata?.uid &&
      lease.spec?.acquireTime === this.#lease.spec?.acquireTime
    )
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

/** The lease, where what is to come before it succeeds; else it is given back. */
export async function keepIf(lease: HeldLease, first: () => Promise<unknown>): Promise<HeldLease> {
  try {
    await first()
    return lease
  } catch (error) {
    await giveBack(lease)
    throw error
  }
}

/** Releases what may be in nobody's way any more; a lease that could not be deleted runs out by itself. */
export async function giveBack(lease: HeldLease): Promise<void> {
  await lease.release(AbortSignal.timeout(WRITE_MS)).catch(() => undefined)
}

/**
 * A write that makes a lease ours, asked again where no answer came. Nothing cuts it short: one that arrived all the same would
 * be nobody's to give back.
 */
export async function written(write: (signal: AbortSignal) => Promise<Lease>): Promise<Taken> {
  let sentAt = 0
  const lease = await persist(AbortSignal.timeout(WRITE_MS), () => {
    sentAt = performance.now()
    return write(AbortSignal.timeout(WRITE_MS))
  })
  return { lease, sentAt }
}

/** A Lease as it is created. */
export function newLease(
  name: string,
  { holder, timing }: Pick<Holding, 'holder' | 'timing'>,
  labels: Readonly<Record<string, string>> = {},
): Lease {
  const marks = marksOf(holder)
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: JOURNAL_NAMESPACE, ...marks, labels: { ...marks.labels, ...labels } },
    spec: specOf(holder, timing, 0),
  }
}

export function specOf(
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

export function marksOf(holder: Holder): {
  readonly labels: Record<string, string>
  readonly annotations: Record<string, string>
} {
  return {
    labels: { [RUN_LABEL]: holder.run },
    annotations: { [HOLDER_ANNOTATION]: JSON.stringify(holder) },
  }
}

/** As metav1.MicroTime is written. */
function microTime(): string {
  return new Date().toISOString().replace('Z', '000Z')
}
