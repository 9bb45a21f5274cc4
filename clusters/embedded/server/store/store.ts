import type { KubeObject } from '../registry/kube-object.ts'
import { Change, History } from './history.ts'
import { Stored } from './stored.ts'

export type Listener = (change: Change) => void

/** How much of the past is kept for watches that resume and lists that continue. */
export interface HistoryLimits {
  readonly changes: number
  readonly bytes: number
  readonly milliseconds: number
}

const DEFAULT_LIMITS: HistoryLimits = { changes: 50_000, bytes: 256 * 1024 * 1024, milliseconds: 5 * 60_000 }

/** What etcd takes in one request, in bytes. */
const REQUEST_LIMIT = 1.5 * 1024 * 1024

/** The object is larger than etcd would store. */
export class TooLargeError extends Error {
  constructor() {
    super('etcdserver: request is too large')
    this.name = 'TooLargeError'
  }
}

interface Collection {
  readonly items: Map<string, Stored>
  readonly listeners: Set<Listener>
  /** The items in the order of their keys, until the next write. */
  sorted: Stored[] | undefined
}

/** What etcd is to a real API server: every write is a new revision of the whole store, and the recent past can be read and followed. */
export class Store {
  readonly #collections = new Map<string, Collection>()
  readonly #history: History
  #revision = 0

  constructor(limits: HistoryLimits = DEFAULT_LIMITS) {
    this.#history = new History(limits)
  }

  get revision(): number {
    return this.#revision
  }

  /** The oldest revision that can still be read. */
  get compacted(): number {
    return this.#history.compacted
  }

  get(collection: string, key: string): Stored | undefined {
    return this.#collection(collection).items.get(key)
  }

  /** Stores an object at a new revision. Throws TooLargeError. */
  put(collection: string, key: string, object: KubeObject): Stored {
    const { items, listeners } = this.#changing(collection)
    const before = items.get(key)
    const after = new Stored(key, object, this.#revision + 1)
    if (after.bytes.length > REQUEST_LIMIT) throw new TooLargeError()
    this.#revision++
    items.set(key, after)
    this.#publish(new Change(collection, key, this.#revision, before, after), listeners)
    return after
  }

  /** Removes the object and returns it as the deletion's watch event shows it: as it last was, at the deletion's revision. */
  delete(collection: string, key: string): Stored | undefined {
    const { items, listeners } = this.#changing(collection)
    const before = items.get(key)
    if (before === undefined) return undefined
    items.delete(key)
    this.#revision++
    const change = new Change(collection, key, this.#revision, before, undefined)
    this.#publish(change, listeners)
    return change.gone
  }

  /** Everything in the order of keys; with a prefix (`namespace/`) only what begins with it. */
  list(collection: string, prefix = ''): readonly Stored[] {
    const found = this.#collection(collection)
    found.sorted ??= [...found.items.values()].sort(byKey)
    return withPrefix(found.sorted, prefix)
  }

  /** The same as it was at an earlier revision. Throws TooOldError. */
  listAt(collection: string, revision: number, prefix = ''): readonly Stored[] {
    if (revision === this.#revision) return this.list(collection, prefix)
    const items = new Map(this.#collection(collection).items)
    for (const change of this.#history.backwards(collection, revision)) {
      if (change.before === undefined) items.delete(change.key)
      else items.set(change.key, change.before)
    }
    return withPrefix([...items.values()].sort(byKey), prefix)
  }

  /** All changes after a revision, oldest first. Throws TooOldError. */
  changesSince(collection: string, revision: number): readonly Change[] {
    return [...this.#history.backwards(collection, revision)].reverse()
  }

  /** Follows a collection from now on; returns how to stop. Listeners are called within the write and must not throw. */
  follow(collection: string, listener: Listener): () => void {
    const { listeners } = this.#collection(collection)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  /** How many follow a collection, over all collections: a watch that ended must not be among them. */
  get followers(): number {
    let count = 0
    for (const { listeners } of this.#collections.values()) count += listeners.size
    return count
  }

  /** Forgets the past, as etcd's compaction does. */
  compact(): void {
    this.#history.compact(this.#revision)
  }

  #publish(change: Change, listeners: ReadonlySet<Listener>): void {
    change.before?.supersede()
    this.#history.add(change)
    for (const listener of listeners) listener(change)
  }

  #changing(name: string): Collection {
    const collection = this.#collection(name)
    collection.sorted = undefined
    return collection
  }

  #collection(name: string): Collection {
    const known = this.#collections.get(name)
    if (known !== undefined) return known
    const made: Collection = { items: new Map(), listeners: new Set(), sorted: undefined }
    this.#collections.set(name, made)
    return made
  }
}

function byKey(left: Stored, right: Stored): number {
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0
}

function withPrefix(sorted: readonly Stored[], prefix: string): readonly Stored[] {
  return prefix === '' ? sorted : sorted.filter((item) => item.key.startsWith(prefix))
}
