import type { RequestInfo } from './request-info.ts'

/**
 * One request and what became of it, as seen on the wire. Never holds bodies or headers, so neither a token nor
 * the data of a Secret can be in it.
 */
export interface Exchange extends RequestInfo {
  /** Milliseconds since the journal began: when the request arrived, and when it was done with. */
  readonly at: number
  until?: number
  /** Whose kubeconfig was used. */
  readonly client: string
  readonly path: string
  /** Names of the rules that touched it. */
  readonly interference: string[]
  /** resourceVersion that the request itself carries: what its sender decided on. */
  readonly versionSent?: string
  /** resourceVersion of the object in the API's answer, whether or not the client got to see it. */
  versionAnswered?: string
  /** The API's HTTP code, or the played one. Absent while it is under way, or when no answer came. */
  code?: number
  /** The client got no answer. */
  lost?: 'answer dropped' | 'reset' | 'client left' | 'broken off'
}

/** The exchanges of one scenario in the order they arrived: attempts are counted here, not believed. */
export class Journal {
  readonly exchanges: Exchange[] = []
  readonly #start = performance.now()

  /** Milliseconds since the journal began. */
  now(): number {
    return performance.now() - this.#start
  }

  begin(exchange: Omit<Exchange, 'at' | 'interference'>): Exchange {
    const begun = { ...exchange, at: this.now(), interference: [] }
    this.exchanges.push(begun)
    return begun
  }
}
