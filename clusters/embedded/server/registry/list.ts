import { expired } from '../status.ts'
import { TooOldError } from '../store/history.ts'
import type { Stored } from '../store/stored.ts'
import { type Continuation, encodeToken } from './continue-token.ts'
import { listOptions, tooLarge } from './list-options.ts'
import { servedObject } from './outcome.ts'
import type { Registry } from './registry.ts'
import type { Resource } from './resource.ts'
import { selection } from './selection.ts'

/** What a list answers with. */
export interface Listing {
  readonly items: readonly Stored[]
  readonly revision: number
  readonly continueToken: string | undefined
  readonly remaining: number | undefined
}

const CONTINUE_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

/** LIST: the selected objects in the order of their keys, whole or page by page at one revision. Throws ApiError. */
export function list(
  registry: Registry,
  row: Resource,
  namespace: string | undefined,
  query: URLSearchParams,
): Listing {
  const options = listOptions(query)
  const { matches, everything } = selection(row, query)
  const { store } = registry
  const current = store.revision
  if (options.revision !== undefined && options.revision > current) throw tooLarge(options.revision, current)
  const { continuation } = options
  if (continuation !== undefined && continuation.revision > current) {
    throw tooLarge(continuation.revision, current)
  }
  const exact =
    options.match === 'Exact' ||
    (options.revision !== undefined && options.revision > 0 && options.limit > 0 && options.match === '')
  const revision = continuation?.revision ?? (exact ? (options.revision as number) : current)
  const all = read(registry, row, namespace === undefined ? '' : `${namespace}/`, revision, continuation)
  const limit = options.revision === 0 ? 0 : options.limit
  const from = continuation === undefined ? 0 : firstAfter(all, continuation.after)
  const items: Stored[] = []
  let at = from
  for (; at < all.length; at++) {
    const item = all[at] as Stored
    if (!matches(servedObject(row, item))) continue
    if (limit > 0 && items.length === limit) break
    items.push(item)
  }
  const more = at < all.length
  const shown = revision === -1 ? current : revision
  return {
    items,
    revision: shown,
    continueToken: more ? encodeToken({ revision: shown, after: items.at(-1)?.key ?? '' }) : undefined,
    remaining: more && everything ? all.length - at : undefined,
  }
}

function read(
  registry: Registry,
  row: Resource,
  prefix: string,
  revision: number,
  continuation: Continuation | undefined,
): readonly Stored[] {
  if (revision === -1) return registry.store.list(row.collection, prefix)
  try {
    return registry.store.listAt(row.collection, revision, prefix)
  } catch (error) {
    if (!(error instanceof TooOldError)) throw error
    if (continuation === undefined) throw expired('The resourceVersion for the provided list is too old.')
    throw expired(CONTINUE_EXPIRED, encodeToken({ revision: -1, after: continuation.after }))
  }
}

function firstAfter(items: readonly Stored[], key: string): number {
  const at = items.findIndex((item) => item.key > key)
  return at === -1 ? items.length : at
}
