import type { JsonObject } from '../json/exact.ts'

export interface OwnerReference {
  readonly apiVersion?: string
  readonly kind?: string
  readonly name?: string
  readonly uid?: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

/** metav1.ObjectMeta after decoding: absent means empty. */
export interface ObjectMeta {
  readonly name?: string
  readonly generateName?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
}

/** A decoded object. Never changed after it was made: every change makes a new one that shares what stayed. */
export interface KubeObject extends JsonObject {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: ObjectMeta
}

/** The order in which Kubernetes writes the fields of metadata. */
const ORDER: readonly (keyof ObjectMeta)[] = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
]

export type MetaChanges = { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined }

/** The object with fields of its metadata replaced; undefined removes one. */
export function withMeta<T extends KubeObject>(object: T, changes: MetaChanges): T {
  const merged = { ...object.metadata, ...changes } as Record<string, unknown>
  const metadata: Record<string, unknown> = {}
  for (const key of ORDER) if (merged[key] !== undefined) metadata[key] = merged[key]
  return { ...object, metadata }
}
