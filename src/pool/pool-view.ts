import type { ConfigMap } from '../contract/kubernetes.ts'
import type { PoolEntry } from '../contract/pool.ts'
import { type ReadEntry, readEntry, type SetAside } from './entry.ts'

/** The pool as one read of its ConfigMap showed it. */
export interface PoolView {
  readonly uid: string
  readonly resourceVersion: string
  readonly entries: readonly PoolEntry[]
  readonly malformed: readonly SetAside[]
  /** The entry's own text, byte for byte; undefined when there is no such key. */
  textOf(address: string): string | undefined
  /** A key of binaryData, which stands in the way of a key of data. */
  isBinary(address: string): boolean
  /** Bytes that Kubernetes counts against its limit for a ConfigMap: the values of data and binaryData. */
  size(): number
}

/** Reads a ConfigMap as a pool. Nothing in it can make this throw. */
export function viewPool(configMap: ConfigMap): PoolView {
  const data = configMap.data ?? {}
  const binaryData = configMap.binaryData ?? {}
  const entries: PoolEntry[] = []
  const malformed: SetAside[] = []
  for (const address of Object.keys(data)) {
    const read = readCached(address, data[address] ?? '')
    if ('entry' in read) entries.push(read.entry)
    else malformed.push(read.malformed)
  }
  return {
    uid: configMap.metadata?.uid ?? '',
    resourceVersion: configMap.metadata?.resourceVersion ?? '',
    entries,
    malformed,
    textOf: (address) => (Object.hasOwn(data, address) ? data[address] : undefined),
    isBinary: (address) => Object.hasOwn(binaryData, address),
    size: () =>
      Object.values(data).reduce((sum, text) => sum + Buffer.byteLength(text), 0) +
      Object.values(binaryData).reduce((sum, text) => sum + Buffer.byteLength(text, 'base64'), 0),
  }
}

const CACHED_ENTRIES = 20_000
const cache = new Map<string, { readonly text: string; readonly read: ReadEntry }>()

/** Between two reads of a large pool nearly every entry is the same text under the same key. */
function readCached(address: string, text: string): ReadEntry {
  const known = cache.get(address)
  if (known?.text === text) return known.read
  const read = readEntry(address, text)
  if (cache.size >= CACHED_ENTRIES) cache.clear()
  cache.set(address, { text, read })
  return read
}
