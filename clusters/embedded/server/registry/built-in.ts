import type { JsonObject } from '../json/exact.ts'
import { decodeStruct } from '../schemas/decode.ts'
import type { KubeObject } from './kube-object.ts'
import { ALL_VERBS, groupVersion, type Resource } from './resource.ts'

type Given = Pick<
  Resource,
  'group' | 'version' | 'resource' | 'kind' | 'namespaced' | 'strategy' | 'columns'
> &
  Partial<Resource> & { readonly struct: string }

/** Fills in a row of the table of built-in resources with what follows from the rest. */
export function builtIn(given: Given): Resource {
  const defaults = {
    singular: given.kind.toLowerCase(),
    listKind: `${given.kind}List`,
    verbs: ALL_VERBS,
    shortNames: [],
    categories: [],
    subresources: [],
    selectableFields: {},
    custom: false,
    collection: given.group === '' ? given.resource : `${given.group}/${given.resource}`,
  }
  return {
    ...defaults,
    decode: (value) => {
      const unknown: string[] = []
      const decoded = decodeStruct(given.struct, value, unknown, given.kind)
      const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = decoded
      const { managedFields: _managedFields, selfLink: _selfLink, ...meta } = metadata as JsonObject
      const object: KubeObject = {
        kind: given.kind,
        apiVersion: groupVersion(given),
        metadata: meta,
        ...rest,
      }
      return { object: given.strategy.defaults(object), unknown }
    },
    ...given,
  }
}
