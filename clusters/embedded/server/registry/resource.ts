import type { JsonObject } from '../json/exact.ts'
import type { FieldError } from '../validation/field-error.ts'
import type { NameCheck } from '../validation/names.ts'
import type { KubeObject } from './kube-object.ts'

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

export const ALL_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly description: string
  readonly priority?: number
  readonly cell: (object: KubeObject) => unknown
}

/** What was read from a body, and what in it no field takes. */
export interface Decoded {
  readonly object: KubeObject
  readonly unknown: readonly string[]
}

/** Turns JSON into the kind's canonical form; throws DecodeError. */
export type Decode = (value: JsonObject) => Decoded

/** Why an update is made: of the object itself, of its status, or (namespaces) of its finalizers. */
export type Subresource = '' | 'status' | 'finalize'

/** What is special about a kind: everything else is the registry's. Each step returns a new object. */
export interface Strategy {
  readonly checkName: NameCheck
  /** PUT of a missing object creates it. */
  readonly createOnUpdate: boolean
  /** An update without a resourceVersion overwrites. */
  readonly unconditionalUpdate: boolean
  /** Values that Kubernetes fills in when it reads an object. */
  readonly defaults: (object: KubeObject) => KubeObject
  readonly prepareForCreate: (object: KubeObject) => KubeObject
  readonly prepareForUpdate: (next: KubeObject, previous: KubeObject, subresource: Subresource) => KubeObject
  readonly validate: (object: KubeObject) => FieldError[]
  readonly validateUpdate: (next: KubeObject, previous: KubeObject, subresource: Subresource) => FieldError[]
  readonly warnings: (object: KubeObject) => readonly string[]
  /** Refuses the request as an admission plugin would; throws ApiError. */
  readonly admitDelete: (object: KubeObject) => void
  /** A deletion that takes time (namespaces): true keeps the object until its contents are gone. */
  readonly deletesLater: (object: KubeObject) => boolean
  /** The object as it is when its deletion begins (phase Terminating). */
  readonly prepareForDelete: (object: KubeObject) => KubeObject
}

/** One row of the table of resources: all that the generic parts need to know. */
export interface Resource {
  readonly group: string
  readonly version: string
  /** The group that errors name, where it is not the one served under (events of events.k8s.io are events of the core). */
  readonly reportedGroup?: string
  readonly resource: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly namespaced: boolean
  readonly verbs: readonly Verb[]
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly subresources: readonly Exclude<Subresource, ''>[]
  /** Its struct in kubernetes.json; absent for custom resources. */
  readonly struct?: string
  readonly decode: Decode
  readonly strategy: Strategy
  /** OpenAPI v3 schema of a custom resource, for clients. */
  readonly openApiSchema?: JsonObject
  readonly columns: readonly Column[]
  readonly selectableFields: Readonly<Record<string, (object: KubeObject) => string>>
  /** Where its objects are kept; two versions of one kind share a collection. */
  readonly collection: string
  /** Between the served version and the stored one; absent where they are the same. */
  readonly conversion?: {
    readonly toStored: (object: KubeObject) => KubeObject
    readonly fromStored: (object: KubeObject) => KubeObject
  }
  /** `group/version` that objects are stored in, where that is not the served one. */
  readonly storedVersion?: string
  /** Custom resources differ in details of their answers (list items carry apiVersion and kind, no strategic merge). */
  readonly custom: boolean
}

/** `v1` or `apps/v1`. */
export function groupVersion(of: { readonly group: string; readonly version: string }): string {
  return of.group === '' ? of.version : `${of.group}/${of.version}`
}

/** What an error about a resource names. */
export function reported(row: Resource): { group: string; resource: string; kind: string } {
  return { group: row.reportedGroup ?? row.group, resource: row.resource, kind: row.kind }
}
