import { type ApiError, expired } from '../status.ts'
import { type Change, TooOldError } from '../store/history.ts'
import type { Stored } from '../store/stored.ts'
import { type WatchOptions, watchOptions } from './list-options.ts'
import { servedObject } from './outcome.ts'
import type { Registry } from './registry.ts'
import type { Resource } from './resource.ts'
import { type Selection, selection } from './selection.ts'

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly stored: Stored }
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initialEventsEnd: boolean }
  | { readonly type: 'ERROR'; readonly error: ApiError }

/** An open watch: what happened before it, and how to be told what happens after. */
export interface Watch {
  readonly options: WatchOptions
  readonly initial: readonly WatchEvent[]
  /** The store's revision now, for bookmarks. */
  readonly revision: () => number
  /** Follows the store until the returned function is called. */
  readonly follow: (emit: (event: WatchEvent) => void) => () => void
}

/** WATCH: prepared whole before the first byte is sent, so that its refusals are ordinary answers. Throws ApiError. */
export function watch(
  registry: Registry,
  row: Resource,
  namespace: string | undefined,
  query: URLSearchParams,
  name?: string,
): Watch {
  const options = watchOptions(query)
  const chosen = selection(row, query, name)
  const prefix = namespace === undefined ? '' : `${namespace}/`
  const { store } = registry
  const started = Math.max(store.revision, options.revision ?? 0)
  return {
    options,
    revision: () => store.revision,
    initial: initialEvents(registry, row, prefix, chosen, options),
    follow: (emit) =>
      store.follow(row.collection, (change) => {
        if (change.revision <= started || !change.key.startsWith(prefix)) return
        const event = seen(row, chosen, change)
        if (event !== undefined) emit(event)
      }),
  }
}

function initialEvents(
  registry: Registry,
  row: Resource,
  prefix: string,
  chosen: Selection,
  options: WatchOptions,
): WatchEvent[] {
  const { store } = registry
  const fromNow = options.sendInitialEvents ?? (options.revision === undefined || options.revision === 0)
  if (fromNow) {
    const added = store
      .list(row.collection, prefix)
      .filter((stored) => chosen.matches(servedObject(row, stored)))
      .map((stored): WatchEvent => ({ type: 'ADDED', stored }))
    if (options.sendInitialEvents !== true || !options.bookmarks) return added
    return [...added, { type: 'BOOKMARK', revision: store.revision, initialEventsEnd: true }]
  }
  if (options.revision === undefined || options.revision === 0) return []
  try {
    return store
      .changesSince(row.collection, options.revision)
      .filter((change) => change.key.startsWith(prefix))
      .map((change) => seen(row, chosen, change))
      .filter((event) => event !== undefined)
  } catch (error) {
    if (error instanceof TooOldError) return [{ type: 'ERROR', error: expired(error.message) }]
    throw error
  }
}

/** How a change looks to a watch: an object that leaves the selection is deleted, one that enters it is added. */
function seen(row: Resource, chosen: Selection, change: Change): WatchEvent | undefined {
  const was = change.before !== undefined && chosen.matches(servedObject(row, change.before))
  if (change.after !== undefined && chosen.matches(servedObject(row, change.after))) {
    return { type: was ? 'MODIFIED' : 'ADDED', stored: change.after }
  }
  return was && change.gone !== undefined ? { type: 'DELETED', stored: change.gone } : undefined
}
