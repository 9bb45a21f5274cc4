import type { PoolEntry } from '../contract/pool.ts'

/** The one write of a decision: one key of the ConfigMap gets a new text, or none. */
export interface Change {
  readonly address: string
  /** Undefined when the key is new. */
  readonly oldText: string | undefined
  /** Undefined removes the key. */
  readonly newText: string | undefined
  /** The entry as it will be; as it was, when it is removed. */
  readonly entry: PoolEntry
  /**
   * Given by a new lease, which excludes others: the addresses of the other entries of its machine. That nobody else
   * of the same test id took a lease must be looked for in the result.
   */
  readonly excludes?: readonly string[]
  /** Addresses of other entries whose texts are why it was decided: it may not land once one of them has changed. */
  readonly restsOn?: readonly string[]
}
