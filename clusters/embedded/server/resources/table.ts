import { textAt } from '../json/access.ts'
import { AGE, count, NAME } from '../printing/cells.ts'
import { builtIn } from '../registry/built-in.ts'
import type { Resource, Verb } from '../registry/resource.ts'
import { configMaps } from '../strategies/config-maps.ts'
import { namespaces } from '../strategies/namespaces.ts'

const NAMESPACE_VERBS: readonly Verb[] = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']

/** Every built-in resource that is served, one row each. A new one is a row here and a strategy. */
export const RESOURCES: readonly Resource[] = [
  builtIn({
    group: '',
    version: 'v1',
    resource: 'configmaps',
    kind: 'ConfigMap',
    struct: 'core.ConfigMap',
    namespaced: true,
    shortNames: ['cm'],
    strategy: configMaps,
    columns: [
      NAME,
      {
        name: 'Data',
        type: 'string',
        description:
          "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.",
        cell: (object) => count(object, 'data', 'binaryData'),
      },
      AGE,
    ],
  }),
  builtIn({
    group: '',
    version: 'v1',
    resource: 'namespaces',
    kind: 'Namespace',
    struct: 'core.Namespace',
    namespaced: false,
    shortNames: ['ns'],
    verbs: NAMESPACE_VERBS,
    subresources: ['finalize', 'status'],
    strategy: namespaces,
    columns: [
      NAME,
      {
        name: 'Status',
        type: 'string',
        description: 'The status of the namespace',
        cell: (object) => textAt(object, 'status', 'phase'),
      },
      AGE,
    ],
    selectableFields: { 'status.phase': (object) => textAt(object, 'status', 'phase') },
  }),
]
