import type { KubernetesObject } from '../../src/contract/kubernetes.ts'
import { HOLDER_ANNOTATION } from '../../src/contract/names.ts'
import { type Holder, isCertainlyDead, isSameHolder, parseHolder } from './holder.ts'

/** coordination.k8s.io/v1 Lease, as far as it is read and written here. */
export interface Lease extends KubernetesObject {
  spec?: {
    holderIdentity?: string
    leaseDurationSeconds?: number
    acquireTime?: string
    renewTime?: string
    leaseTransitions?: number
  }
}

/** Where a lease doesn't say how long it lasts. */
const DEFAULT_DURATION_S = 15

/** What one who waits has seen of a lease. It believes no clock but its own: what counts is when it last saw it move. */
export class LeaseObservation {
  readonly #own: Holder
  #lease: Lease | undefined
  #movedAt = 0
  #told = ''

  constructor(own: Holder) {
    this.#own = own
  }

  get lease(): Lease | undefined {
    return this.#lease
  }

  /** At a time in milliseconds; answers who has it, where that is news: another worker of the same run is none. */
  see(lease: Lease, now: number): string | undefined {
    if (!this.#lease || JSON.stringify(this.#lease.spec) !== JSON.stringify(lease.spec)) this.#movedAt = now
    this.#lease = lease
    const who = describe(lease)
    if (who === this.#told || holderOf(lease)?.run === this.#own.run) return undefined
    this.#told = who
    return who
  }

  /** Whether it may be taken: its holder is dead, as far as anybody can tell, or it is our own. */
  isFree(now: number): boolean {
    if (!this.#lease) return false
    const holder = holderOf(this.#lease)
    if (isSameHolder(this.#own, holder) || (holder && isCertainlyDead(holder))) return true
    return now - this.#movedAt >= (this.#lease.spec?.leaseDurationSeconds ?? DEFAULT_DURATION_S) * 1_000
  }
}

/** Undefined where it names none that can be understood. */
export function holderOf({ metadata }: KubernetesObject): Holder | undefined {
  try {
    return parseHolder(JSON.parse(metadata?.annotations?.[HOLDER_ANNOTATION] ?? ''))
  } catch {
    return undefined
  }
}

function describe(lease: Lease): string {
  const holder = holderOf(lease)
  const where = holder ? ` on ${holder.process.host} (process ${holder.process.pid})` : ''
  return `run ${lease.spec?.holderIdentity || 'of an unknown holder'}${where}`
}
