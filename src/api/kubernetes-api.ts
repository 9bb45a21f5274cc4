import type { KubernetesObject } from '../contract/kubernetes.ts'

/** Which collection of the API is meant; without a namespace it is cluster-scoped, or all namespaces at once. */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespace?: string
}

export interface CallOptions {
  /** Ends the call; it then throws the signal's own reason. */
  readonly signal: AbortSignal
  /** Milliseconds until the call counts as a transient failure; 30,000 by default. */
  readonly timeoutMs?: number
  /** Ask for the metadata alone, which spares a large object the way back; a server may answer with all of it. */
  readonly metadataOnly?: boolean
}

export interface ListOptions extends CallOptions {
  readonly labelSelector?: string
}

/** One operation of RFC 6902; `test` guards the others. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

/**
 * What the pool needs of a cluster, as a port: the real one speaks to an API server, a test's one is a table in memory.
 * Every method throws an ApiFailure for what the API answered and for what happened on the way.
 */
export interface KubernetesApi {
  get<T extends KubernetesObject>(resource: Resource, name: string, options: CallOptions): Promise<T>
  list<T extends KubernetesObject>(resource: Resource, options: ListOptions): Promise<readonly T[]>
  create<T extends KubernetesObject>(resource: Resource, object: T, options: CallOptions): Promise<T>
  /** RFC 7386; carry metadata.resourceVersion and metadata.uid to make it conditional. */
  mergePatch<T extends KubernetesObject>(
    resource: Resource,
    name: string,
    patch: object,
    options: CallOptions,
  ): Promise<T>
  jsonPatch<T extends KubernetesObject>(
    resource: Resource,
    name: string,
    patch: readonly JsonPatchOperation[],
    options: CallOptions,
  ): Promise<T>
  /** The uid, when given, is a precondition: another object of the same name is left alone. */
  delete(resource: Resource, name: string, options: CallOptions & { readonly uid?: string }): Promise<void>
}
