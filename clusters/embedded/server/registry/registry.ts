import type { Store } from '../store/store.ts'
import type { Stored } from '../store/stored.ts'
import { keyOf } from '../store/stored.ts'
import type { KubeObject } from './kube-object.ts'
import type { Resource } from './resource.ts'

/** The resources served now (the table, and what custom resource definitions add) over the one store. */
export class Registry {
  readonly store: Store
  readonly #builtIn: readonly Resource[]
  readonly #custom = new Map<string, readonly Resource[]>()

  constructor(store: Store, builtIn: readonly Resource[]) {
    this.store = store
    this.#builtIn = builtIn
  }

  /** All rows, in the order in which discovery lists them. */
  resources(): readonly Resource[] {
    return [...this.#builtIn, ...[...this.#custom.values()].flat()]
  }

  find(group: string, version: string, resource: string): Resource | undefined {
    return this.resources().find(
      (row) => row.group === group && row.version === version && row.resource === resource,
    )
  }

  /** The rows of one custom resource definition, replacing those it had; none removes it. */
  serveCustom(definition: string, rows: readonly Resource[]): void {
    if (rows.length === 0) this.#custom.delete(definition)
    else this.#custom.set(definition, rows)
  }

  get(row: Resource, namespace: string | undefined, name: string): Stored | undefined {
    return this.store.get(row.collection, keyOf(row.namespaced ? namespace : undefined, name))
  }

  put(row: Resource, object: KubeObject): Stored {
    return this.store.put(
      row.collection,
      keyOf(object.metadata.namespace, object.metadata.name ?? ''),
      object,
    )
  }
}
