import { AGE, NAME } from '../printing/cells.ts'
import { builtIn } from '../registry/built-in.ts'
import type { Resource } from '../registry/resource.ts'
import { definitions } from '../strategies/definitions.ts'

export const EXTENSIONS: readonly Resource[] = [
  builtIn({
    group: 'apiextensions.k8s.io',
    version: 'v1',
    resource: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    struct: 'apiextensions.CustomResourceDefinition',
    namespaced: false,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: ['status'],
    strategy: definitions,
    columns: [
      NAME,
      {
        ...AGE,
        name: 'Created At',
        type: 'date',
        cell: (object) => object.metadata.creationTimestamp ?? '',
      },
    ],
  }),
]
