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
