import type { KubeObject } from '../registry/kube-object.ts'
import type { Resource } from '../registry/resource.ts'

export type IncludeObject = 'Metadata' | 'None' | 'Object'

export interface ListMeta {
  readonly resourceVersion?: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** Objects as the table that `kubectl get` prints. Watches leave the columns out after the first event. */
export function table(
  row: Resource,
  objects: readonly KubeObject[],
  metadata: ListMeta,
  include: IncludeObject,
  withColumns = true,
): object {
  const columnDefinitions = row.columns.map(({ name, type, format = '', description, priority = 0 }) => ({
    name,
    type,
    format,
    description,
    priority,
  }))
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: withColumns ? columnDefinitions : null,
    rows: objects.map((object) => ({
      cells: row.columns.map((column) => column.cell(object)),
      object: include === 'None' ? null : include === 'Object' ? object : metadataOnly(object),
    })),
  }
}

/** An object as PartialObjectMetadata. */
export function metadataOnly(object: KubeObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata }
}

export function metadataList(objects: readonly KubeObject[], metadata: ListMeta): object {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    items: objects.map(metadataOnly),
  }
}
