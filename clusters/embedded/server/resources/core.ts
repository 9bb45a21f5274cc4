import { at, textAt } from '../json/access.ts'
import { AGE, count, NAME } from '../printing/cells.ts'
import { nodeColumns } from '../printing/node-columns.ts'
import { builtIn } from '../registry/built-in.ts'
import type { Resource, Verb } from '../registry/resource.ts'
import { configMaps } from '../strategies/config-maps.ts'
import { namespaces } from '../strategies/namespaces.ts'
import { nodes } from '../strategies/nodes.ts'
import { secrets } from '../strategies/secrets.ts'
import { strategy } from '../strategies/strategy.ts'

const NAMESPACE_VERBS: readonly Verb[] = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']

/** What is served of the group without a name, but for events. */
export const CORE: readonly Resource[] = [
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
        description: 'Whether the namespace is Active or Terminating.',
        cell: (object) => textAt(object, 'status', 'phase'),
      },
      AGE,
    ],
    selectableFields: { 'status.phase': (object) => textAt(object, 'status', 'phase') },
  }),
  builtIn({
    group: '',
    version: 'v1',
    resource: 'nodes',
    kind: 'Node',
    struct: 'core.Node',
    namespaced: false,
    shortNames: ['no'],
    subresources: ['status'],
    strategy: nodes,
    columns: nodeColumns,
    selectableFields: {
      'spec.unschedulable': (object) => String(at(object, 'spec', 'unschedulable') === true),
    },
  }),
  builtIn({
    group: '',
    version: 'v1',
    resource: 'secrets',
    kind: 'Secret',
    struct: 'core.Secret',
    namespaced: true,
    strategy: secrets,
    columns: [
      NAME,
      {
        name: 'Type',
        type: 'string',
        description: 'What the secret is for.',
        cell: (object) => textAt(object, 'type'),
      },
      {
        name: 'Data',
        type: 'string',
        description: 'How many keys it has.',
        cell: (object) => count(object, 'data'),
      },
      AGE,
    ],
    selectableFields: {
      'metadata.namespace': (object) => object.metadata.namespace ?? '',
      type: (object) => textAt(object, 'type'),
    },
  }),
  builtIn({
    group: '',
    version: 'v1',
    resource: 'serviceaccounts',
    kind: 'ServiceAccount',
    struct: 'core.ServiceAccount',
    namespaced: true,
    shortNames: ['sa'],
    strategy: strategy({}),
    columns: [NAME, AGE],
  }),
]
