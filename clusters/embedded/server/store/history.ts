import type { HistoryLimits } from './store.ts'
import { Stored } from './stored.ts'

/** One write: an object that came, changed or went. */
export class Change {
  readonly collection: string
  readonly key: string
  readonly revision: number
  readonly before: Stored | undefined
  readonly after: Stored | undefined
  #gone: Stored | undefined

  constructor(
    collection: string,
    key: string,
    revision: number,
    before: Stored | undefined,
    after: Stored | undefined,
  ) {
    this.collection = collection
    this.key = key
    this.revision = revision
    this.before = before
    this.after = after
  }

  /** The object as a watch shows its end: as it last was, at the revision of this change. */
  get gone(): Stored | undefined {
    if (this.before !== undefined) this.#gone ??= new Stored(this.key, this.before.object, this.revision)
    return this.#gone
  }
}

/** The revision asked for is older than what is kept: 410 Expired. */
export class TooOldError extends Error {
  readonly revision: number
  readonly oldest: number

  constructor(revision: number, oldest: number) {
    super(`too old resource version: ${revision} (${oldest})`)
    this.name = 'TooOldError'
    this.revision = revision
    this.oldest = oldest
  }
}

/** The recent changes, bounded by count, memory and age. */
export class History {
  readonly #limits: HistoryLimits
  #entries: { readonly change: Change; readonly at: number; readonly weight: number }[] = []
  /** Index of the oldest entry still kept; the array is cut now and then, not at each step. */
  #first = 0
  #bytes = 0
  #compacted = 0

  constructor(limits: HistoryLimits) {
    this.#limits = limits
  }

  get compacted(): number {
    return this.#compacted
  }

  add(change: Change): void {
    const weight = change.before?.weight ?? 256
    this.#entries.push({ change, at: performance.now(), weight })
    this.#bytes += weight
    this.#trim()
  }

  /** The changes of a collection after a revision, newest first. Throws TooOldError. */
  *backwards(collection: string, revision: number): Generator<Change> {
    if (revision < this.#compacted) throw new TooOldError(revision, this.#compacted)
    for (let index = this.#entries.length - 1; index >= this.#first; index--) {
      const change = this.#entries[index]?.change
      if (change === undefined || change.revision <= revision) return
      if (change.collection === collection) yield change
    }
  }

  compact(revision: number): void {
    this.#compacted = revision
    this.#entries = []
    this.#first = 0
    this.#bytes = 0
  }

  #trim(): void {
    const { changes, bytes, milliseconds } = this.#limits
    const oldest = performance.now() - milliseconds
    while (this.#first < this.#entries.length - 1) {
      const entry = this.#entries[this.#first]
      if (entry === undefined) return
      if (this.#entries.length - this.#first <= changes && this.#bytes <= bytes && entry.at >= oldest) break
      this.#bytes -= entry.weight
      this.#compacted = entry.change.revision
      this.#first++
    }
    if (this.#first > 1000) {
      this.#entries = this.#entries.slice(this.#first)
      this.#first = 0
    }
  }
}
