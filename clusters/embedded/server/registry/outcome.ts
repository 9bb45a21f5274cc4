import { internalError } from '../status.ts'
import type { Stored } from '../store/stored.ts'
import type { KubeObject } from './kube-object.ts'
import type { Resource } from './resource.ts'

/** What a write answers with: the object in the version asked for, and its JSON where it is at hand. */
export interface Outcome {
  readonly object: KubeObject
  readonly bytes?: Buffer
  readonly warnings?: readonly string[]
  readonly created?: boolean
}

/** What etcd takes in one request. */
const STORAGE_LIMIT = 1.5 * 1024 * 1024

const converted = new WeakMap<Stored, Map<Resource, KubeObject>>()

/** The object as this row's version shows it. */
export function servedObject(row: Resource, stored: Stored): KubeObject {
  if (row.conversion === undefined) return stored.object
  const versions = converted.get(stored) ?? new Map<Resource, KubeObject>()
  converted.set(stored, versions)
  const known = versions.get(row)
  if (known !== undefined) return known
  const object = row.conversion.fromStored(stored.object)
  versions.set(row, object)
  return object
}

export function toServed(row: Resource, stored: Stored): Outcome {
  const object = servedObject(row, stored)
  return object === stored.object ? { object, bytes: stored.bytes } : { object }
}

/** Refuses what etcd would refuse. Only objects whose parts could add up to it are measured. */
export function checkSize(object: KubeObject): void {
  if (roughSize(object, 0) < STORAGE_LIMIT / 6) return
  if (Buffer.byteLength(JSON.stringify(object)) > STORAGE_LIMIT)
    throw internalError('etcdserver: request is too large')
}

function roughSize(value: unknown, sum: number): number {
  if (typeof value === 'string') return sum + value.length + 8
  if (typeof value !== 'object' || value === null) return sum + 8
  let size = sum
  for (const key in value) size = roughSize((value as Record<string, unknown>)[key], size + key.length + 4)
  return size
}
